package dev.lockstep.core.memory;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** A request as a store sees it, made by hand. */
class Asking implements StoreRequest {
    private static final Duration AGES = Duration.ofDays(365);

    private final LockClock clock;
    private final int number;
    private final long holder;
    private final LockPlan plan;
    private final Duration wait;
    private final Duration term;
    private final long asked;
    private final List<StoreGrant> outer;
    private final AtomicReference<Runnable> whenStartIsAsked;
    private volatile long start;

    /** A zero wait is none. */
    Asking(
            LockClock clock,
            int number,
            long holder,
            LockRequest request,
            Duration wait,
            Duration term,
            List<StoreGrant> outer) {
        this(clock, number, holder, request, wait, term, outer, new AtomicReference<>(() -> {}));
    }

    /** {@code whenStartIsAsked} runs in the middle of a grant. */
    Asking(
            LockClock clock,
            int number,
            long holder,
            LockRequest request,
            Duration wait,
            Duration term,
            List<StoreGrant> outer,
            AtomicReference<Runnable> whenStartIsAsked) {
        this.whenStartIsAsked = whenStartIsAsked;
        this.clock = clock;
        this.number = number;
        this.holder = holder;
        plan = LockPlan.of(request);
        this.wait = wait;
        this.term = term;
        this.outer = outer;
        asked = clock.nanos();
        start = asked;
    }

    static Asking once(int number, LockRequest request, LockClock clock) {
        return new Asking(clock, number, number, request, Duration.ZERO, AGES, List.of());
    }

    static Asking patiently(int number, LockRequest request, LockClock clock) {
        return new Asking(clock, number, number, request, AGES, AGES, List.of());
    }

    int number() {
        return number;
    }

    @Override
    public UUID leaseId() {
        return new UUID(0, number);
    }

    @Override
    public String owner() {
        return "#" + number;
    }

    @Override
    public long holder() {
        return holder;
    }

    @Override
    public LockPlan plan() {
        return plan;
    }

    @Override
    public boolean waits() {
        return !wait.isZero();
    }

    @Override
    public Deadline deadline() {
        return Deadline.at(asked + wait.toNanos(), clock);
    }

    @Override
    public Duration term() {
        return term;
    }

    @Override
    public void markStart() {
        start = clock.nanos();
    }

    @Override
    public void markStart(long nanos, long millis) {
        start = nanos;
    }

    @Override
    public long startNanos() {
        whenStartIsAsked.get().run();
        return start;
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
        return outer;
    }

    @Override
    public void contended() {}

    @Override
    public Optional<CallSite> callSite() {
        return Optional.empty();
    }

    @Override
    public String toString() {
        return owner() + plan;
    }
}
