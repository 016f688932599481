package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.InventoryEvent.ConflictRateHigh;
import dev.lockstep.inventory.InventoryEvent.OverallConflictRateHigh;
import dev.lockstep.inventory.InventoryEvent.StrategyChanged;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.inventory.StrategyView;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.StockRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How contended each stock is that is in use. What is idle is forgotten. */
final class Contention {
    private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

    private final Map<StockKey, Gauge> gauges = new ConcurrentHashMap<>();
    /** Of all stock that has too few attempts for its own rate. */
    private final Gauge overall;

    private final LongAdder attempts = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final Strategy strategy;
    private final LockClock clock;
    private final InventoryMonitor monitor;

    /** With the strategy that all stock has, or the one that chooses for each. */
    Contention(Strategy strategy, LockClock clock, InventoryMonitor monitor) {
        this.strategy = strategy;
        this.clock = clock;
        this.monitor = monitor;
        overall = new Gauge(Strategy.OPTIMISTIC, clock.nanos(), monitor.now());
    }

    /** Counts an attempt for each stock of a command. */
    void attempted(PendingCommand work, boolean conflict) {
        attempts.increment();
        if (conflict) {
            conflicts.increment();
        }
        long nanos = clock.nanos();
        boolean few = true;
        for (StockLine line : work.lines()) {
            Gauge gauge = gauge(line.key(), nanos);
            few &= gauge.attemptsNow() < Gauge.ENOUGH;
            gauge.attempted(nanos, conflict)
                    .ifPresent(rate ->
                            monitor.alert(new ConflictRateHigh(monitor.now(), line.key(), rate, gauge.attemptsNow())));
            choose(line.key(), gauge, nanos);
        }
        if (few) {
            overall.attempted(nanos, conflict)
                    .ifPresent(rate ->
                            monitor.alert(new OverallConflictRateHigh(monitor.now(), rate, overall.attemptsNow())));
        }
    }

    /** Notes how a transaction that began at that time found its rows, and how it left them. */
    void committed(Collection<StockRow> rows, long began) {
        if (strategy == Strategy.ADAPTIVE) {
            long nanos = clock.nanos();
            for (StockRow row : rows) {
                @Nullable Gauge gauge = gauges.get(row.key());
                if (gauge != null) {
                    gauge.committed(
                            began, nanos, row.before().version(), row.now().version());
                }
            }
        }
    }

    /** Counts commands that were settled together. */
    void combined(List<PendingCommand> works) {
        long nanos = clock.nanos();
        met(works).forEach((key, count) -> {
            Gauge gauge = gauge(key, nanos);
            gauge.combined(nanos, count);
            choose(key, gauge, nanos);
        });
    }

    /** Counts commands that were to be settled together with those of other stock. Several of one stock would have met without that. */
    void grouped(List<PendingCommand> works) {
        Map<StockKey, Integer> met = met(works);
        List<PendingCommand> combined = new ArrayList<>();
        for (PendingCommand work : works) {
            if (!isHigh(work)) {
                boolean alone = work.lines().stream().allMatch(line -> met.getOrDefault(line.key(), 0) == 1);
                attempted(work, work.isOpen() || !alone);
            } else if (!work.isOpen()) {
                combined.add(work);
            }
        }
        combined(combined);
    }

    private static Map<StockKey, Integer> met(List<PendingCommand> works) {
        Map<StockKey, Integer> met = new HashMap<>();
        works.forEach(work -> work.lines().forEach(line -> met.merge(line.key(), 1, Integer::sum)));
        return met;
    }

    private void choose(StockKey key, Gauge gauge, long nanos) {
        if (strategy != Strategy.ADAPTIVE) {
            return;
        }
        Instant at = monitor.now();
        gauge.choose(nanos, at).ifPresent(before -> {
            StrategyView view = gauge.view(key);
            monitor.publish(new StrategyChanged(at, key, before, view.strategy(), view.why()));
        });
    }

    /** Changes a stock in this way until it is unpinned. */
    void pin(StockKey key, Strategy chosen) {
        long nanos = clock.nanos();
        Instant at = monitor.now();
        Gauge gauge = gauge(key, nanos);
        Optional<Strategy> before = gauge.pin(chosen, nanos, at);
        gauges.put(key, gauge); // it may have been idle, and just forgotten
        before.ifPresent(last -> monitor.publish(
                new StrategyChanged(at, key, last, chosen, gauge.view(key).why())));
    }

    /** Lets a stock change as the attempts suggest. */
    void unpin(StockKey key) {
        @Nullable Gauge gauge = gauges.get(key);
        if (gauge != null) {
            gauge.unpin(clock.nanos(), monitor.now());
        }
    }

    private Gauge gauge(StockKey key, long nanos) {
        return gauges.computeIfAbsent(key, any -> new Gauge(strategy, nanos, monitor.now()));
    }

    /** Whether any stock of a command is contended for. */
    boolean isHigh(PendingCommand work) {
        for (StockLine line : work.lines()) {
            @Nullable Gauge gauge = gauges.get(line.key());
            if (gauge != null && gauge.strategy() == Strategy.COMBINING) {
                return true;
            }
        }
        return false;
    }

    /** Whether any stock of a command is pinned to a strategy. */
    boolean isPinned(PendingCommand work) {
        for (StockLine line : work.lines()) {
            @Nullable Gauge gauge = gauges.get(line.key());
            if (gauge != null && gauge.isPinned()) {
                return true;
            }
        }
        return false;
    }

    List<StrategyView> views() {
        return gauges.entrySet().stream()
                .map(entry -> entry.getValue().view(entry.getKey()))
                .toList();
    }

    long attempts() {
        return attempts.sum();
    }

    long conflicts() {
        return conflicts.sum();
    }

    void forgetIdle() {
        long nanos = clock.nanos();
        gauges.values().removeIf(gauge -> gauge.isIdle(nanos, IDLE));
    }
}
