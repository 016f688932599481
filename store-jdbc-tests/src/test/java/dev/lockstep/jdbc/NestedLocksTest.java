package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.ReleaseOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What nested leases leave behind on PostgreSQL, in the transaction of the outer lease. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class NestedLocksTest {
    private static final Duration TERM = Duration.ofMinutes(10);
    private static final Duration LONG = Duration.ofMinutes(2);

    private LockDatabase database;
    private Locks locks;
    private Locks others;

    @BeforeEach
    void create() throws SQLException {
        database = LockDatabase.on(Server.POSTGRES);
        locks = locks();
        others = locks();
    }

    private Locks locks() {
        return Locks.builder(database.store())
                .defaultTerm(TERM)
                .orderPolicy(OrderPolicy.OFF)
                .build();
    }

    @AfterEach
    void close() throws SQLException {
        others.close();
        locks.close();
        database.close();
    }

    private boolean isFree(LockKey key) {
        if (others.tryAcquire(exclusive(key).within(LONG)) instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }

    @Test
    void aLongerTermOfTheOuterLeaseStaysWhenANestedLeaseEnds() {
        Duration brief = Duration.ofSeconds(6);
        Lease outer = locks.acquire(exclusive(user("u1")).forTerm(brief));
        Lease nested = locks.acquire(exclusive(account("u2", "a2")).forTerm(Duration.ofSeconds(5)));
        outer.renew(TERM);
        nested.close();
        assertThat(others.tryAcquire(exclusive(user("u1")).within(brief.multipliedBy(2))))
                .isInstanceOf(Busy.class);
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aChildOfALeaseReleasesItsLocksWhileALaterSiblingHoldsItsOwn() throws Exception {
        Lease outer = locks.acquire(exclusive(user("u1")));
        Lease first =
                outer.bind(() -> locks.acquire(exclusive(account("u2", "a2")))).call();
        Lease second =
                outer.bind(() -> locks.acquire(exclusive(account("u3", "a3")))).call();
        Lease inSecond = second.bind(() -> locks.acquire(exclusive(resource("u3", "a3", "r3"))))
                .call();
        first.close();
        assertThat(isFree(account("u2", "a2"))).isTrue();
        assertThat(isFree(user("u2"))).isTrue();
        second.close();
        assertThat(others.tryAcquire(exclusive(resource("u3", "a3", "r3")))).isInstanceOf(Busy.class);
        assertThat(others.tryAcquire(exclusive(user("u3")))).as("an ancestor").isInstanceOf(Busy.class);
        inSecond.close();
        assertThat(isFree(user("u3"))).isTrue();
        assertThat(others.tryAcquire(exclusive(user("u1")))).isInstanceOf(Busy.class);
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(database.locks()).as("only those on the board of kinds").isLessThanOrEqualTo(2);
    }

    @Test
    void childrenThatEndAtTheSameTimeLeaveNoLocks() throws Exception {
        int children = 8;
        ExecutorService threads = Executors.newFixedThreadPool(children);
        try {
            for (int round = 0; round < 50; round++) {
                closeTogether(children, threads);
            }
            assertThat(database.locks()).as("only those on the board of kinds").isLessThanOrEqualTo(2);
        } finally {
            threads.shutdownNow();
        }
    }

    private void closeTogether(int children, ExecutorService threads) throws Exception {
        CyclicBarrier together = new CyclicBarrier(children);
        List<Future<?>> closed = new ArrayList<>();
        try (Lease outer = locks.acquire(exclusive(user("u1")))) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < children; i++) {
                leases.add(outer.acquire(exclusive(user("child" + i))));
            }
            for (Lease lease : leases) {
                closed.add(threads.submit(() -> {
                    together.await();
                    return lease.release();
                }));
            }
            for (Future<?> each : closed) {
                assertThat(each.get(2, TimeUnit.MINUTES)).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    @Test
    void thousandsOfNestedLeasesUseNoMemoryOfTheServer() throws Exception {
        Lease outer = locks.acquire(exclusive(user("u1")));
        locks.acquire(exclusive(account("u2", "a2"))).close();
        long before = memoryOfHolder();
        for (int i = 0; i < 2_000; i++) {
            locks.acquire(exclusive(account("u2", "a" + i % 10))).close();
        }
        assertThat(memoryOfHolder() - before).as("kilobytes").isLessThan(5_000);
        outer.close();
    }

    /** The private memory of the server process in whose transaction the locks are, in kilobytes. */
    private long memoryOfHolder() throws Exception {
        try (Connection looker = database.database().connect();
                Statement statement = looker.createStatement();
                ResultSet row = statement.executeQuery("SELECT pid FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND state = 'idle in transaction'")) {
            row.next();
            Path status = Path.of("/proc", row.getString(1), "status");
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("RssAnon"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
