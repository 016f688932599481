package dev.lockstep.core.leadership;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Loss;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The order of an election
 * ------------------------
 * One thread stands for election: it requests the key, serves the term, and stands again. It never calls a user's code; callbacks have their own
 * thread, so that one that hangs delays neither the end of a term nor renewals.
 *
 * A term begins after the store has granted the key, never after a look at it. At its end isLeader() turns false first, then the callbacks end, then
 * the key is released, and only then does the candidate stand again. A callback that hangs delays the release for a limited time, and this
 * candidate, but no other one.
 */
/** A candidate that stands until it is closed. */
final class Candidate implements Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    /** A request is repeated after this long, in case that the store forgot it. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final Duration UNTIL_SIGNAL = Duration.ofHours(1);

    private final Candidacy.Options options;
    private final LockClock clock;
    private final LockRequest request;
    private final Thread thread = new Thread(this::run, "lockstep-leader");
    private final CompletableFuture<Boolean> started = new CompletableFuture<>();
    private int failures;

    private volatile @Nullable Term current;
    private volatile @Nullable TermCallbacks callbacks;
    private volatile State state = State.WAITING;
    private volatile boolean closed;

    Candidate(Candidacy.Options options) {
        this.options = options;
        clock = options.locks().clock();
        request = LockRequest.exclusive(options.key()).as(options.owner());
        thread.setDaemon(true);
    }

    /** Returns when this candidate leads or waits. */
    void start() {
        thread.start();
        try {
            started.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LockException refused ? refused : new IllegalStateException(e.getCause());
        }
    }

    private void signal() {
        LockSupport.unpark(thread);
    }

    private void await(BooleanSupplier condition, Deadline deadline) {
        while (!condition.getAsBoolean() && !deadline.passed()) {
            clock.park(this, deadline.remainingNanos());
        }
    }

    private void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            await(condition, Deadline.in(UNTIL_SIGNAL, clock));
        }
    }

    // ---- the election

    private void run() {
        try {
            Lease lease = firstRequest();
            while (!closed) {
                Lease granted = lease;
                lease = guarded(() -> granted == null ? elect() : serve(granted));
            }
            if (lease != null) {
                lease.close();
            }
        } finally {
            state = State.CLOSED;
            started.complete(true);
        }
    }

    /** Nothing that goes wrong ends the candidate: no thread for callbacks, for example. */
    private @Nullable Lease guarded(Supplier<@Nullable Lease> step) {
        try {
            return step.get();
        } catch (RuntimeException | Error e) {
            return failed(e);
        }
    }

    /** Without waiting, to find a key that is used for something else; then the caller gets an error. */
    private @Nullable Lease firstRequest() {
        Lease lease = null;
        try {
            lease = options.locks().acquireAsync(request.withoutWaiting()).get();
        } catch (ExecutionException | RuntimeException | InterruptedException | Error e) {
            notGranted(e instanceof ExecutionException ? e.getCause() : e);
        }
        return lease;
    }

    private void notGranted(@Nullable Throwable cause) {
        LockException refusal = LeadershipRefusal.of(cause, options);
        if (refusal != null) {
            closed = true;
            started.completeExceptionally(refusal);
        } else {
            state = cause instanceof LockTimeoutException ? State.WAITING : State.UNAVAILABLE;
        }
    }

    private @Nullable Lease elect() {
        if (state != State.UNAVAILABLE) {
            state = State.WAITING;
        }
        CompletableFuture<Lease> asked;
        try {
            asked = options.locks().acquireAsync(nextRequest());
        } catch (RuntimeException | Error e) {
            started.complete(true);
            return failed(e);
        }
        started.complete(true); // in the queue by now, before another candidate that resigns after this one has started
        CompletableFuture<?> unused = asked.whenComplete((lease, error) -> signal());
        await(() -> asked.isDone() || closed);
        if (closed) {
            asked.cancel(true);
        }
        try {
            Lease lease = asked.get();
            failures = 0;
            return lease;
        } catch (CancellationException | InterruptedException e) {
            return null;
        } catch (ExecutionException e) {
            return failed(e.getCause());
        }
    }

    /** After a failure without waiting: its result shows whether the store works again, and a waiting one would show nothing. */
    private LockRequest nextRequest() {
        return state == State.UNAVAILABLE ? request.withoutWaiting() : request.within(LONGEST_WAIT);
    }

    private @Nullable Lease failed(@Nullable Throwable error) {
        if (error instanceof LockException known && known.code() == ErrorCode.CLOSED) {
            closed = true;
        } else if (error instanceof LockTimeoutException) {
            state = State.WAITING;
            failures = 0;
        } else {
            state = State.UNAVAILABLE;
            Duration pause = options.retries().pauseAfter(++failures);
            LOG.warn("'{}' stands again for '{}' in {} ms", options.owner(), options.key(), pause.toMillis(), error);
            await(() -> closed, Deadline.in(pause, clock));
        }
        return null;
    }

    // ---- a term

    private @Nullable Lease serve(Lease lease) {
        Term term = new Term(lease, options.key(), Instant.ofEpochMilli(clock.millis()));
        TermCallbacks calls = new TermCallbacks(term, options, this::signal);
        try {
            callbacks = calls;
            current = term;
            state = State.LEADING;
            calls.start();
            started.complete(true);
            Stop stop = untilStop(term, lease);
            current = null;
            term.end();
            state = State.STOPPING;
            calls.stop(stop);
            await(calls::isDone, Deadline.in(options.stopWithin(), clock));
            if (!calls.isDone()) {
                LOG.warn(
                        "A callback still runs {} after {} has ended; the key is released all the same",
                        options.stopWithin(),
                        term);
            }
        } finally {
            current = null;
            term.end();
            lease.close();
        }
        await(() -> calls.isDone() || closed);
        return null;
    }

    private Stop untilStop(Term term, Lease lease) {
        CompletableFuture<Loss> loss = new CompletableFuture<>();
        lease.lost().thenAccept(lost -> {
            loss.complete(lost);
            signal();
        });
        await(() -> loss.isDone() || term.hasEnded() || closed);
        Loss lost = loss.getNow(null);
        Stop.Reason reason = lost != null ? Stop.Reason.LOST : closed ? Stop.Reason.CLOSED : Stop.Reason.RESIGNED;
        return new Stop(term, reason, Optional.ofNullable(lost));
    }

    // ---- for the user

    @Override
    public LockKey key() {
        return options.key();
    }

    @Override
    public String owner() {
        return options.owner();
    }

    @Override
    public boolean isLeader() {
        return term().isPresent();
    }

    @Override
    public Optional<Term> term() {
        return Optional.ofNullable(current).filter(Term::isHeld);
    }

    @Override
    public Optional<Leader> leader() {
        Optional<Term> own = term();
        return own.isPresent()
                ? own.map(term -> new Leader(term.owner(), term.since()))
                : options.locks().snapshot().holders().stream()
                        .filter(held ->
                                held.mode() == LockMode.EXCLUSIVE && held.key().equals(options.key()))
                        .findFirst()
                        .map(held -> new Leader(held.owner(), held.since()));
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean resign() {
        Term term = current;
        boolean led = term != null && term.end();
        if (led) {
            signal();
        }
        return led;
    }

    @Override
    public void close() {
        closed = true;
        signal();
        TermCallbacks calls = callbacks;
        if (calls == null || !calls.isCurrentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
