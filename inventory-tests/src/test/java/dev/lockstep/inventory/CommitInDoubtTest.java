package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The connection of a transaction leads through a proxy that fails at the commit; the others don't. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class CommitInDoubtTest {
    private static final StockKey SHIRT = new StockKey("SHIRT", "TOKYO");
    private static final StockLine ONE = new StockLine(SHIRT, 1);
    private static final Duration NEVER_REACHED = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicBoolean isLost = new AtomicBoolean();
    private final AtomicBoolean looksUp = new AtomicBoolean();
    private TcpProxy proxy;
    private HikariDataSource direct;
    private Inventory inventory;
    private LedgerAudit audit;

    static Stream<Arguments> everywhere() {
        return Stream.of(ServerKind.MYSQL, ServerKind.MARIADB, ServerKind.POSTGRES)
                .flatMap(kind -> Stream.of(Strategy.values()).map(strategy -> Arguments.of(kind, strategy)));
    }

    /** These take seconds each: all of them in a long run only. */
    static Stream<Arguments> hereAndThere() {
        return Scale.pick(0, 1) == 1
                ? everywhere()
                : Stream.of(
                        Arguments.of(ServerKind.MYSQL, Strategy.COMBINING),
                        Arguments.of(ServerKind.MARIADB, Strategy.PESSIMISTIC),
                        Arguments.of(ServerKind.POSTGRES, Strategy.ADAPTIVE));
    }

    /** What becomes of the commit. */
    private interface Trouble {
        void commit(Connection real) throws SQLException;
    }

    private void open(ServerKind kind, Strategy strategy, Trouble trouble) throws SQLException {
        open(kind, strategy, NEVER_REACHED, NEVER_REACHED, trouble);
    }

    private void open(ServerKind kind, Strategy strategy, Duration patience, Duration answerWithin, Trouble trouble)
            throws SQLException {
        TestDatabase database = keep(TestServers.shared(kind).freshDatabase());
        proxy = keep(TcpProxy.to(database.server()));
        direct = keep(TestPool.to(database.jdbcUrl(), database.user(), database.password()));
        HikariDataSource proxied = keep(TestPool.to(database.jdbcUrl(proxy), database.user(), database.password()));
        InventorySchema.on(direct).apply();
        audit = new LedgerAudit(direct);
        InventoryBuilder builder = Inventory.builder(shaky(proxied, trouble).on(direct))
                .patience(patience)
                .answerWithin(answerWithin)
                .sweepEvery(Duration.ZERO);
        inventory = keep(
                strategy == Strategy.LOCKED
                        ? builder.lockedBy(keep(TestShop.locks())).build()
                        : builder.strategy(strategy).build());
        assertThat(inventory.receive(new StockLine(SHIRT, 10), "first")).isInstanceOf(Received.class);
        armed.set(true);
    }

    /** Only the first commit meets trouble. */
    private Tap shaky(DataSource proxied, Trouble trouble) {
        return new Tap() {
            @Override
            public Connection connect(DataSource sound) throws SQLException {
                return armed.get() ? proxied.getConnection() : sound.getConnection();
            }

            @Override
            public void prepare(String sql) {
                looksUp.set(isLost.get() && sql.contains("FOR UPDATE"));
            }

            @Override
            public void commit(Connection real) throws SQLException {
                if (armed.compareAndSet(true, false)) {
                    isLost.set(true);
                    trouble.commit(real);
                } else {
                    real.commit();
                }
            }
        };
    }

    private <T extends AutoCloseable> T keep(T opened) {
        open.add(0, opened);
        return opened;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private boolean isInLedger(String id) throws SQLException {
        return audit.reservations(SHIRT).containsKey(id);
    }

    private void replaySettles(String id) throws Exception {
        assertThat(inventory.reserve(ONE, id)).isInstanceOf(Reserved.class);
        assertThat(inventory.outcomeOf(new Reserve(Order.of(ONE), id))).isPresent();
        assertThat(audit.reservations(SHIRT)).containsOnlyKeys(id);
        audit.booksBalance();
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void a_commit_that_was_done_but_not_answered_is_found(ServerKind kind, Strategy strategy) throws Exception {
        open(kind, strategy, real -> {
            real.commit();
            proxy.cut();
            throw new SQLNonTransientConnectionException("cut off", "08S01");
        });

        assertThat(inventory.reserve(ONE, "r1")).isInstanceOf(Reserved.class);

        replaySettles("r1");
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void a_commit_that_never_reached_the_server_is_a_failure(ServerKind kind, Strategy strategy) throws Exception {
        open(kind, strategy, real -> {
            proxy.cut();
            real.commit();
        });

        assertThat(inventory.reserve(ONE, "r1")).isInstanceOf(Failed.class);

        assertThat(isInLedger("r1")).isFalse();
        replaySettles("r1");
    }

    @ParameterizedTest
    @MethodSource("hereAndThere")
    void a_commit_that_is_still_on_its_way_is_waited_for(ServerKind kind, Strategy strategy) throws Exception {
        open(kind, strategy, NEVER_REACHED, ANSWER, real -> {
            proxy.freezeRequests();
            real.commit();
        });
        CompletableFuture<Outcome> answer = CompletableFuture.supplyAsync(() -> inventory.reserve(ONE, "r1"));

        Awaitility.await().untilTrue(looksUp);
        assertThat(answer).isNotDone();
        assertThat(isInLedger("r1")).as("a plain read-back").isFalse();
        proxy.thaw();

        assertThat(answer).succeedsWithin(Duration.ofMinutes(3)).isInstanceOf(Reserved.class);
        replaySettles("r1");
    }

    @ParameterizedTest
    @MethodSource("hereAndThere")
    void a_commit_that_nobody_can_tell_of_is_unknown_until_it_is_asked_for_again(ServerKind kind, Strategy strategy)
            throws Exception {
        open(kind, strategy, PATIENCE, ANSWER, real -> {
            proxy.freeze();
            real.commit();
        });
        CompletableFuture<Outcome> answer = CompletableFuture.supplyAsync(() -> inventory.reserve(ONE, "r1"));

        assertThat(answer).succeedsWithin(Duration.ofMinutes(3)).isInstanceOf(Unknown.class);

        proxy.thaw();
        replaySettles("r1");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "POSTGRES"})
    void each_request_of_a_batch_in_doubt_gets_its_own_answer(ServerKind kind) throws Exception {
        AtomicInteger commits = new AtomicInteger();
        open(kind, Strategy.COMBINING, real -> {
            real.commit();
            if (commits.incrementAndGet() == 1) { // those that came first
                armed.set(true);
            } else {
                proxy.cut();
                throw new SQLNonTransientConnectionException("cut off", "08S01");
            }
        });
        RowLock lock = RowLock.on(direct, SHIRT);
        List<CompletableFuture<Outcome>> answers = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            answers.add(inventory.submit(new Reserve(Order.of(ONE), "r" + i)));
        }
        lock.close();

        assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(Duration.ofMinutes(3)));
        Map<String, Long> ledger = audit.reservations(SHIRT);
        assertThat(ledger).hasSize(10);
        for (int i = 0; i < 15; i++) {
            assertThat(answers.get(i).join())
                    .isInstanceOfAny(Reserved.class, OutOfStock.class, Failed.class)
                    .matches(outcome -> outcome instanceof Reserved == ledger.containsKey(outcome.requestId()));
        }
        audit.booksBalance();
    }
}
