package dev.lockstep.server.locks;

import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Takes snapshots of the locks for all who look at them. Requests that come before a snapshot begins share it, so no request sees what was before it. One
 * snapshot is taken at a time, and after an expensive one there is a pause: looking must not slow down locking.
 */
@Component
final class SharedSnapshot {
    /** So that snapshots take a twentieth of the time at most. */
    private static final int PAUSE_FACTOR = 19;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration CHEAP = Duration.ofMillis(2);

    private final Locks locks;
    private final Scheduler blocking;
    private final ReentrantLock oneAtATime = new ReentrantLock();
    private @Nullable Mono<LockSnapshot> next;
    private long notBefore = System.nanoTime();

    SharedSnapshot(Locks locks, Scheduler blocking) {
        this.locks = locks;
        this.blocking = blocking;
    }

    /** One that begins after this call. */
    synchronized Mono<LockSnapshot> take() {
        @Nullable Mono<LockSnapshot> shared = next;
        if (shared == null) {
            Duration pause = Duration.ofNanos(Math.max(0, notBefore - System.nanoTime()));
            Mono<LockSnapshot> snapshot = Mono.fromCallable(this::snapshot).subscribeOn(blocking);
            shared = (pause.isZero() ? snapshot : snapshot.delaySubscription(pause))
                    .onErrorMap(LockException.class, LockProblems::of)
                    .cache();
            next = shared;
        }
        return shared;
    }

    private LockSnapshot snapshot() {
        oneAtATime.lock();
        try {
            begin();
            long start = System.nanoTime();
            LockSnapshot snapshot = NodeClaim.without(locks.snapshot());
            end(Duration.ofNanos(System.nanoTime() - start));
            return snapshot;
        } finally {
            oneAtATime.unlock();
        }
    }

    private synchronized void begin() {
        next = null;
    }

    private synchronized void end(Duration took) {
        Duration pause = took.multipliedBy(PAUSE_FACTOR);
        Duration kept = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
        notBefore = System.nanoTime() + (took.compareTo(CHEAP) < 0 ? 0 : kept.toNanos());
    }
}
