package dev.lockstep.chaos;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Asks for locks, and writes down every question and its answer. */
final class Caller {
    /** A caller without a response for this much longer than its wait is stuck. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Locks locks;
    private final LockClock clock;
    private final History history;
    private final AtomicLong ops;
    private final String name;

    Caller(Locks locks, LockClock clock, History history, AtomicLong ops, String name) {
        this.locks = locks;
        this.clock = clock;
        this.history = history;
        this.ops = ops;
        this.name = name;
    }

    /** Asks for its own lease. */
    Optional<Holding> ask(PlannedRequest wish, boolean async) throws InterruptedException {
        long op = ops.incrementAndGet();
        return ask(wish, op, op, async);
    }

    /** Asks inside of another lease; the two are one holder. */
    Optional<Holding> askInside(Holding outer, PlannedRequest wish) throws InterruptedException {
        return ask(wish, ops.incrementAndGet(), outer.op(), false);
    }

    private Optional<Holding> ask(PlannedRequest wish, long op, long holder, boolean async)
            throws InterruptedException {
        long wait = wish.longestWait().toMillis();
        String exclusive = LockedKey.text(wish.exclusive());
        String shared = LockedKey.text(wish.shared());
        history.now("invoke", "op", op, "holder", holder, "thread", name, "wait", wait, "x", exclusive, "s", shared);
        try {
            Lease lease = async ? future(wish) : locks.acquire(wish.request(name));
            String term =
                    wish.term() == null ? "renewed" : Long.toString(wish.term().toMillis());
            history.now("grant", "op", op, "token", lease.token(), "term", term, "source", lease.source());
            return Optional.of(new Holding(lease, op, clock, history));
        } catch (LockException e) {
            refused(op, e);
            return Optional.empty();
        }
    }

    private void refused(long op, LockException e) {
        if (e.code() == ErrorCode.TIMEOUT) {
            history.now("busy", "op", op);
        } else {
            history.now("failed", "op", op, "code", e.code().text(), "text", e);
        }
    }

    private Lease future(PlannedRequest wish) throws InterruptedException {
        LockRequest request = wish.request(name);
        CompletableFuture<Lease> lease = locks.acquireAsync(request);
        try {
            return lease.get(wish.longestWait().plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("no answer to " + request, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockException known) {
                throw known;
            }
            throw new IllegalStateException(e);
        }
    }
}
