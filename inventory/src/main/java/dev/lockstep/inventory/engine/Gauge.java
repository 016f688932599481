package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.inventory.StrategyView;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How contended one stock is, and how it is changed therefore. Above a conflict rate of 10% it is combined. Then there are no conflicts
 * to count, so company counts: requests that shared a transaction, or that found the row changed by other processes so fast that an
 * attempt without a lock would likely have met them. When for some seconds hardly any had company, the stock is optimistic again.
 */
final class Gauge {
    static final double HIGH = 0.10;
    static final double LOW = 0.05;

    /** Fewer attempts tell no rate. */
    static final int ENOUGH = 20;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long STAY = 5 * SECOND;
    static final long ALERT_EVERY = 10 * SECOND;

    private Window last;
    private Window now;
    private Strategy strategy;
    private String why;
    private long changedAt;
    private Instant since;
    private long usedAt;
    private long alertedAt;
    private long knownVersion;
    private long knownAt;
    private boolean metOthers;
    private boolean pinned;

    /** Starts with the strategy that is set, or with the optimistic one if it is to choose. */
    Gauge(Strategy set, long nanos, Instant at) {
        boolean chooses = set == Strategy.ADAPTIVE;
        strategy = chooses ? Strategy.OPTIMISTIC : set;
        why = chooses ? "there were no conflicts" : "it is set for all stock";
        last = new Window(nanos - SECOND);
        now = new Window(nanos);
        changedAt = nanos;
        usedAt = nanos;
        alertedAt = nanos - ALERT_EVERY;
        since = at;
    }

    /** Counts an attempt without a lock; answers the rate if it is time to raise an alert. */
    synchronized Optional<Double> attempted(long nanos, boolean conflict) {
        roll(nanos);
        now.attempted(conflict);
        double rate = now.conflictRate(last);
        if (attempts() >= ENOUGH && rate > HIGH && nanos - alertedAt >= ALERT_EVERY) {
            alertedAt = nanos;
            return Optional.of(rate);
        }
        return Optional.empty();
    }

    synchronized void combined(long nanos, int works) {
        roll(nanos);
        now.combined(works, works > 1 || metOthers);
        metOthers = false;
    }

    /**
     * A transaction that began at that time read one version of the row and left another. Versions between what the last transaction
     * left and what this one read are changes of other processes.
     */
    synchronized void committed(long began, long nanos, long versionRead, long versionLeft) {
        long foreign = knownVersion == 0 ? 0 : versionRead - knownVersion;
        double perTransaction = (double) foreign * (nanos - began) / Math.max(1, nanos - knownAt);
        metOthers |= perTransaction > HIGH;
        knownVersion = versionLeft;
        knownAt = nanos;
    }

    /** Stays with this strategy until it is unpinned; returns what it was before if that has changed. */
    synchronized Optional<Strategy> pin(Strategy chosen, long nanos, Instant at) {
        Strategy before = strategy;
        pinned = true;
        become(chosen, "it is pinned", nanos, at);
        return before == strategy ? Optional.empty() : Optional.of(before);
    }

    /** Chooses by itself again. */
    synchronized void unpin(long nanos, Instant at) {
        if (pinned) {
            pinned = false;
            become(strategy, "it was pinned", nanos, at);
        }
    }

    /** Chooses again; returns what it was before if that has changed. */
    synchronized Optional<Strategy> choose(long nanos, Instant at) {
        roll(nanos);
        if (pinned) {
            return Optional.empty();
        }
        Strategy before = strategy;
        double rate = now.conflictRate(last);
        double company = now.company(last);
        if (before == Strategy.OPTIMISTIC && attempts() >= ENOUGH && rate > HIGH) {
            become(
                    Strategy.COMBINING,
                    percent(rate) + " of the last " + attempts() + " attempts met others",
                    nanos,
                    at);
        } else if (before == Strategy.COMBINING && nanos - changedAt >= STAY && company < LOW) {
            become(Strategy.OPTIMISTIC, "only " + percent(company) + " of the last requests had company", nanos, at);
        }
        return before == strategy ? Optional.empty() : Optional.of(before);
    }

    private void become(Strategy next, String reason, long nanos, Instant at) {
        strategy = next;
        why = reason;
        changedAt = nanos;
        since = at;
        last = new Window(nanos - SECOND);
        now = new Window(nanos);
    }

    private long attempts() {
        return now.attempts() + last.attempts();
    }

    private void roll(long nanos) {
        usedAt = nanos;
        if (now.age(nanos) >= SECOND) {
            last = now.age(nanos) >= 2 * SECOND ? new Window(nanos - SECOND) : now;
            now = new Window(nanos);
        }
    }

    private static String percent(double rate) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * rate);
    }

    synchronized Strategy strategy() {
        return strategy;
    }

    synchronized boolean isPinned() {
        return pinned;
    }

    synchronized long attemptsNow() {
        return attempts();
    }

    synchronized boolean isIdle(long nanos, long idleNanos) {
        return !pinned && nanos - usedAt >= idleNanos;
    }

    synchronized StrategyView view(StockKey key) {
        return new StrategyView(key, strategy, why, since, now.conflictRate(last), now.company(last));
    }
}
