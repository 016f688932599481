package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testkit.FakeClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Code of the application and calls of other systems never run inside a transaction, and no transaction waits for them: each of them
 * here waits until no connection is in use.
 */
final class OutsideCallsTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(Inventory.class);
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

    private final StockKey key = new StockKey("SHIRT-" + UUID.randomUUID(), "TOKYO");
    private final FakeClock clock = new FakeClock();
    private final AtomicInteger open = new AtomicInteger();
    private final Set<String> calls = ConcurrentHashMap.newKeySet();
    private final Queue<String> inside = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().contains(key.sku())) {
                outside("log: " + event.getFormattedMessage().split(":", 2)[0]);
            }
        }
    };
    private TestShop shop;

    @BeforeEach
    void openUp() {
        shop = TestShop.onH2();
        appender.start();
        LOG.addAppender(appender);
    }

    @AfterEach
    void closeDown() throws SQLException {
        LOG.detachAppender(appender);
        shop.close();
    }

    /** A call of the outside. After the first that ran inside a transaction the others don't wait. */
    private void outside(String call) {
        long since = System.nanoTime();
        while (open.get() > 0 && inside.isEmpty()) {
            if (System.nanoTime() - since > LONGEST) {
                inside.add(call);
            }
            LockSupport.parkNanos(1_000_000);
        }
        calls.add(call);
    }

    /** Counts the connections in use. Each commit takes longer than a lock should be held. */
    private final Tap tap = new Tap() {
        @Override
        public Connection connect(DataSource real) throws SQLException {
            Connection connection = real.getConnection();
            open.incrementAndGet();
            return connection;
        }

        @Override
        public void commit(Connection real) throws SQLException {
            clock.advance(Duration.ofMillis(101));
            real.commit();
        }

        @Override
        public void closed() {
            open.decrementAndGet();
        }
    };

    /** The memory store, with its calls as calls of another system. */
    private LockStore watched(LockStore real) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (self, method, arguments) -> {
                    if (Set.of("acquire", "release").contains(method.getName())) {
                        outside("lock store: " + method.getName());
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Inventory open(Strategy strategy, Locks locks) {
        InventoryBuilder builder = TestShop.patient(tap.on(shop.dataSource()))
                .clock(clock)
                .sweepEvery(Duration.ZERO)
                .listener(event -> outside("listener: " + event.getClass().getSimpleName()));
        return (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build();
    }

    private StockLine pieces(long quantity) {
        return new StockLine(key, quantity);
    }

    private void makeNegative() throws SQLException {
        shop.sql("ALTER TABLE inventory_location DROP CONSTRAINT inventory_location_physical");
        shop.sql("ALTER TABLE inventory_location DROP CONSTRAINT inventory_location_allocated");
        shop.sql("UPDATE inventory_location SET physical_qty = -3");
    }

    @ParameterizedTest
    @EnumSource
    void none_is_made_inside_a_transaction(Strategy strategy) throws Exception {
        try (Locks locks = Locks.on(watched(MemoryStore.create()));
                Inventory inventory = open(strategy, locks)) {
            assertThat(inventory.receive(pieces(10), "in")).isInstanceOf(Received.class);
            assertThat(inventory
                            .submit(new Reserve(Order.of(pieces(1)), "r1"))
                            .thenApply(outcome -> {
                                outside("callback");
                                return outcome;
                            })
                            .join())
                    .isInstanceOf(Reserved.class);
            makeNegative();
            inventory.reserve(pieces(1), "r2");
            inventory.reconcile(found -> outside("reconcile"));

            await().until(() -> calls.contains("listener: BooksDisagree"));
        }
        assertThat(inside).isEmpty();
        assertThat(calls)
                .contains(
                        "listener: Committed",
                        "listener: Answered",
                        "listener: LockHeldLong",
                        "listener: NegativeStock",
                        "log: Long lock",
                        "log: Negative stock",
                        "callback",
                        "reconcile");
        if (strategy == Strategy.LOCKED) {
            assertThat(calls).contains("lock store: acquire", "lock store: release");
        }
    }
}
