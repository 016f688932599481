package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TcpProxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The connections that a store keeps between leases. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class IdleSessionsTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource
    void anIdleConnectionOutlivesTheTermOfTheLastLease(Server server) throws SQLException {
        Duration term = Duration.ofSeconds(2);
        try (LockDatabase database = LockDatabase.on(server)) {
            InterceptedDataSource dataSource = new InterceptedDataSource(database.dataSource(), (at, sql) -> {});
            try (Locks locks = Locks.on(database.store(dataSource))) {
                locks.acquire(exclusive(Tenancy.user("u1")).within(LONG).forTerm(term))
                        .close();
                int opened = dataSource.opened().size();
                Instant end = Instant.now().plus(term.multipliedBy(2));
                await().atMost(LONG).until(() -> Instant.now().isAfter(end));
                locks.acquire(exclusive(Tenancy.user("u1")).within(LONG).forTerm(term))
                        .close();
                assertThat(dataSource.opened()).hasSize(opened);
            }
        }
    }

    @Test
    void aRequestThatDoesNotWaitFindsAConnectionWhileAnIdleOneIsKeptAlive() throws Exception {
        CountDownLatch pinged = new CountDownLatch(1);
        CountDownLatch granted = new CountDownLatch(1);
        try (LockDatabase database = LockDatabase.on(Server.MYSQL)) {
            String ping =
                    "wait_timeout = " + SessionPool.LAST_KEPT.multipliedBy(2).toSeconds();
            DataSource slow = new InterceptedDataSource(database.dataSource(), (at, sql) -> {
                if (sql.contains(ping)) {
                    pinged.countDown();
                    awaitUninterruptibly(granted);
                }
            });
            Dialect dialect = new MySqlDialect(RowTable.BUCKETS);
            try (SessionPool sessions = new SessionPool(slow, dialect, 2)) {
                LockSession one = sessions.take(request(LONG));
                LockSession other = sessions.take(request(LONG));
                for (LockSession session : List.of(one, other)) {
                    dialect.limitIdleness(session, LONG);
                    sessions.release(session);
                }
                long later = System.nanoTime() + LONG.toNanos();
                CompletableFuture<Void> keeping = CompletableFuture.runAsync(() -> sessions.keepIdleAlive(later));
                assertThat(pinged.await(4, TimeUnit.MINUTES)).isTrue();
                LockSession taken = sessions.take(request(Duration.ZERO));
                granted.countDown();
                keeping.get(4, TimeUnit.MINUTES);
                sessions.release(taken);
            } finally {
                granted.countDown();
            }
        }
    }

    private static StoreRequest request(Duration wait) {
        return new TransactionRequest(exclusive(Tenancy.user("u1")), Deadline.in(wait, LockClock.system()));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aConnectionThatWasDroppedWhileItWasIdleIsNotUsed() throws Exception {
        try (LockDatabase database = LockDatabase.on(Server.POSTGRES);
                TcpProxy proxy = TcpProxy.to(database.database().server());
                SessionPool sessions = new SessionPool(database.dataSource(proxy), new PostgresDialect("dropped"), 2)) {
            LockSession session = sessions.connect(LONG);
            sessions.watch(session);
            sessions.release(session);
            session.idleSince(System.nanoTime() - LONG.toNanos());
            assertThat(sessions.isResponsive(sessions.take(request(LONG)))).isTrue();
            sessions.release(session);
            session.idleSince(System.nanoTime() - LONG.toNanos());
            proxy.freeze();
            assertThat(sessions.isResponsive(sessions.take(request(LONG)))).isFalse();
            assertThat(session.isDead()).isTrue();
            proxy.thaw();
        }
    }

    @Test
    void theLastOfTheUnusedConnectionsIsKeptForLonger() throws Exception {
        try (LockDatabase database = LockDatabase.on(Server.MARIADB);
                Pool.Open open = Pool.HIKARI.open(database.database(), 4)) {
            HikariDataSource pool = (HikariDataSource) open.dataSource();
            SessionPool sessions = new SessionPool(pool, new MariaDbDialect(RowTable.BUCKETS), 4);
            LockSession one = sessions.connect(LONG);
            LockSession two = sessions.connect(LONG);
            sessions.release(one);
            sessions.release(two);
            long now = System.nanoTime();
            sessions.retireIdle(now + Duration.ofMinutes(1).toNanos());
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isOne();
            sessions.retireIdle(now + SessionPool.LAST_KEPT.toNanos());
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            sessions.close();
        }
    }

    /** The first connection can't be opened, the others can. */
    @Test
    void aConnectionThatCanNotBeOpenedFailsOneRequestOnly() throws Exception {
        int requests = 4;
        try (LockDatabase database = LockDatabase.on(Server.MYSQL)) {
            AtomicInteger opened = new AtomicInteger(-1000);
            DataSource flaky = new DelegatingDataSource(database.dataSource()) {
                @Override
                public java.sql.Connection getConnection() throws SQLException {
                    if (opened.getAndIncrement() == 0) {
                        throw new SQLTransientConnectionException("refused");
                    }
                    return super.getConnection();
                }
            };
            try (Locks locks = LockDatabase.patient(database.store(flaky))) {
                locks.acquire(exclusive(Tenancy.user("u"))).close(); // the tables are read by now
                database.killSessions();
                opened.set(0);
                List<CompletableFuture<Boolean>> granted = IntStream.range(0, requests)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> isGranted(locks, "u" + i)))
                        .toList();
                int count = 0;
                for (CompletableFuture<Boolean> each : granted) {
                    count += each.get(4, TimeUnit.MINUTES) ? 1 : 0;
                }
                assertThat(count).isGreaterThanOrEqualTo(requests - 1);
            }
        }
    }

    private static boolean isGranted(Locks locks, String user) {
        try (Lease lease = locks.acquire(exclusive(Tenancy.user(user)))) {
            return lease.isHeld();
        } catch (LockException e) {
            return false;
        }
    }
}
