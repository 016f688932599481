package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.EventStream;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.Answered;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.CalledInTransaction;
import dev.lockstep.inventory.InventoryEvent.Committed;
import dev.lockstep.inventory.InventoryEvent.Dropped;
import dev.lockstep.inventory.InventoryEvent.LockHeldLong;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.InventoryFigures;
import dev.lockstep.inventory.InventoryListener;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.Book;
import dev.lockstep.inventory.books.StockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Counts what happens, notifies listeners, and raises alerts. */
final class InventoryMonitor implements AutoCloseable {
    private static final Duration LONG_LOCK = Duration.ofMillis(100);

    private final LockClock clock;
    private final EventStream<InventoryEvent> events;

    /** Alerts have a separate queue, so that no flood of outcomes displaces one. */
    private final EventStream<InventoryEvent> alertEvents;

    private final SoldOut soldOut;
    private final AlertLog log;
    private final LongAdder transactions = new LongAdder();
    private final LongAdder commands = new LongAdder();
    private final LongAdder queued = new LongAdder();
    private volatile Duration expiryLag = Duration.ZERO;
    private final Map<Class<?>, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Map<Class<?>, LongAdder> alerts = new ConcurrentHashMap<>();

    InventoryMonitor(LockClock clock, SoldOut soldOut) {
        this.clock = clock;
        this.soldOut = soldOut;
        log = new AlertLog(clock);
        events = new EventStream<>("lockstep-inventory-events", count -> new Dropped(now(), count));
        alertEvents = new EventStream<>("lockstep-inventory-alerts", count -> new Dropped(now(), count));
    }

    Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    Locks.Subscription subscribe(InventoryListener listener) {
        Lock oneAtATime = new ReentrantLock(true);
        Consumer<InventoryEvent> serial = new Consumer<>() {
            @Override
            public void accept(InventoryEvent event) {
                oneAtATime.lock();
                try {
                    listener.on(event);
                } finally {
                    oneAtATime.unlock();
                }
            }

            @Override
            public String toString() {
                return listener.toString();
            }
        };
        Locks.Subscription others = events.subscribe(serial);
        Locks.Subscription alertsOnly = alertEvents.subscribe(serial);
        return () -> {
            others.close();
            alertsOnly.close();
        };
    }

    /** This many more commands wait in a lane, or fewer. */
    void queued(int more) {
        queued.add(more);
    }

    /** The oldest reservation that a sweep has found is due for this long. */
    void expiryLag(Duration lag) {
        expiryLag = lag.isNegative() ? Duration.ZERO : lag;
    }

    /** A transaction was committed, and had its rows locked for this long. */
    void committed(List<StockKey> keys, Book book, Duration locked) {
        int changed = book.commands();
        transactions.increment();
        commands.add(changed);
        if (events.areHeard()) {
            publish(new Committed(now(), keys, changed, locked));
        }
        if (locked.compareTo(LONG_LOCK) > 0) {
            alert(new LockHeldLong(now(), keys, locked));
        }
    }

    /** These rows were read at that time, and left so by a commit if they were changed. */
    void saw(Collection<StockRow> rows, long nanos) {
        for (StockRow row : rows) {
            soldOut.saw(row.now(), nanos);
            saw(row.now());
        }
    }

    /** This stock was read. */
    void saw(Stock stock) {
        if (stock.isNegative()) {
            alert(new NegativeStock(now(), stock));
        }
    }

    void answered(Command command, Outcome outcome, Duration took) {
        if (outcome instanceof Failed failed) {
            log.write(failed);
        }
        outcomes.computeIfAbsent(outcome.getClass(), any -> new LongAdder()).increment();
        if (events.areHeard()) {
            publish(new Answered(now(), command, outcome, took));
        }
    }

    void alert(Alert alert) {
        boolean isNew = log.write(alert);
        alerts.computeIfAbsent(alert.getClass(), any -> new LongAdder()).increment();
        if (isNew || !isRaisedByEachRequest(alert)) {
            alertEvents.publish(alert);
        }
    }

    /** They could displace other alerts. */
    private static boolean isRaisedByEachRequest(Alert alert) {
        return alert instanceof CalledInTransaction || alert instanceof BooksDisagree;
    }

    void publish(InventoryEvent event) {
        events.publish(event);
    }

    void forgetOld() {
        soldOut.forgetOld();
        log.forgetOld();
    }

    InventoryFigures figures(Contention contention, int inFlight, long refusedFromMemory) {
        return new InventoryFigures(
                named(outcomes),
                contention.attempts(),
                contention.conflicts(),
                transactions.sum(),
                commands.sum(),
                inFlight,
                (int) queued.sum(),
                refusedFromMemory,
                expiryLag,
                named(alerts));
    }

    private static Map<String, Long> named(Map<Class<?>, LongAdder> counts) {
        Map<String, Long> named = new TreeMap<>();
        counts.forEach((type, count) -> named.put(type.getSimpleName(), count.sum()));
        return named;
    }

    @Override
    public void close() {
        events.close();
        alertEvents.close();
    }
}
