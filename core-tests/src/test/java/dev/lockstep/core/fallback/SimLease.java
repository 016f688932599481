package dev.lockstep.core.fallback;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request, and the lease that came of it as its holder sees it: counted from before it was asked, less a hundredth, by both clocks. */
final class SimLease implements StoreRequest {
    final SimProcess process;
    final LockKey key;
    private final long number;
    private final LockClock clock;
    private Duration term;
    private ClockReading start;

    @Nullable
    EpochGrant grant;

    SimLease(SimProcess process, LockKey key, long number, Duration term) {
        this.process = process;
        this.key = key;
        this.number = number;
        this.term = term;
        clock = process.clock;
        start = ClockReading.now(clock);
    }

    /** Whether its holder counts on it now. */
    boolean isCounted() {
        long nanos = term.toNanos();
        return grant != null && start.isWithin(nanos - nanos / 100, ClockReading.now(clock));
    }

    void renewed(ClockReading asked, Duration extension) {
        start = asked;
        term = extension;
    }

    FencingToken token() {
        EpochGrant given = Objects.requireNonNull(grant);
        return new FencingToken(given.epoch(), given.token());
    }

    @Override
    public UUID leaseId() {
        return new UUID(process.number, number);
    }

    @Override
    public String owner() {
        return "process " + process.number;
    }

    @Override
    public long holder() {
        return process.number * 1_000_000 + number;
    }

    @Override
    public LockPlan plan() {
        return LockPlan.of(LockRequest.exclusive(key));
    }

    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public Deadline deadline() {
        return Deadline.in(Duration.ZERO, clock);
    }

    @Override
    public Duration term() {
        return term;
    }

    @Override
    public void markStart() {
        start = ClockReading.now(clock);
    }

    @Override
    public void markStart(long nanos, long millis) {
        start = new ClockReading(nanos, millis);
    }

    @Override
    public long startNanos() {
        return start.nanos();
    }

    @Override
    public LockClock clock() {
        return clock;
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public List<StoreGrant> outer() {
        return List.of();
    }

    @Override
    public void contended() {}

    @Override
    public Optional<CallSite> callSite() {
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "lease " + number + " of process " + process.number + " on " + key + " " + grant;
    }
}
