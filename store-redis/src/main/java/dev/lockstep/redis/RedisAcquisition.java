package dev.lockstep.redis;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * One request on its way
 * ----------------------
 * It asks the server with one call; `Slices` says what more it takes in a cluster. When it is queued, it asks again: when the server hints
 * that its turn has come, when a lease in its way must have expired, and once a second if it holds something or is the first of this
 * process at its lock (`Heartbeats`). A lost hint costs time, never a lock. When its time has passed it asks one last time, without waiting. Each asking is the same call, and does no harm when it was done and the answer was
 * lost.
 *
 * The call site is recorded only when a request waits for more than a moment, so the first asking can't have it. A request that may be part of
 * a deadlock asks once more before the search for cycles, to let the report name the line of code.
 *
 * At most one asking is under way at a time. Whatever happens during it only notes that it has to be asked again. The step to SETTLED is
 * taken under the lock in which the server's answer is read: from then on nothing is asked, and the moment from which the holder counts its
 * term stays. What was abandoned by its caller before that step is released; what was settled never is.
 */
final class RedisAcquisition implements Heartbeats.Queued {
    /** For requests that hold something. */
    private static final long ASK_AGAIN = TimeUnit.SECONDS.toNanos(1);

    /** For the others, whose places heartbeats keep: in case that keys were changed by hand. */
    private static final long ASK_RARELY = TimeUnit.SECONDS.toNanos(20);

    private static final long CALL_SITE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FIRST_LOOK = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LONGEST_LOOK = TimeUnit.SECONDS.toNanos(20);
    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_RETRY = TimeUnit.MILLISECONDS.toNanos(400);
    private static final int KEEPS_PER_TERM = 3;

    private enum State {
        /** Nothing is under way: the timer or a hint will make it ask. */
        IDLE,
        ASKING,
        /** The server's answer was taken. */
        SETTLED,
        /** The caller won't take any answer. */
        ABANDONED
    }

    /** What the caller waits for. Cancelling it takes the request out of every queue. */
    private final class Answer extends CompletableFuture<StoreAnswer> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                withdraw();
            }
            return cancelled;
        }
    }

    final StoreRequest request;
    final CompletableFuture<StoreAnswer> answer = new Answer();
    private final AcquisitionContext context;
    private final Consumer<RedisAcquisition> ended;
    private final Executor teller;
    private final Slices slices;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.IDLE;
    private boolean again;
    private int failures;
    private Slices.@Nullable Awaited awaited;
    private @Nullable Future<?> timer;
    private volatile long lookIn = FIRST_LOOK;
    private volatile long lookAt;
    private volatile boolean looks;
    private volatile boolean sentCallSite;
    private volatile @Nullable DeadlockReport deadlock;

    /** {@code teller} runs what is done with the answer; {@code ended} runs when nothing more will be requested. */
    RedisAcquisition(
            StoreRequest request, AcquisitionContext context, Executor teller, Consumer<RedisAcquisition> ended) {
        this.teller = teller;
        this.request = request;
        this.context = context;
        this.ended = ended;
        slices = new Slices(request, context.partitions(), context.calls());
    }

    String lease() {
        return slices.lease();
    }

    // ---- asking

    @Override
    public void askIfIdle() {
        lock.lock();
        try {
            if (state != State.IDLE) {
                return;
            }
        } finally {
            lock.unlock();
        }
        ask();
    }

    @Override
    public void ask() {
        lock.lock();
        try {
            again = state == State.ASKING;
            if (state != State.IDLE) {
                return;
            }
            state = State.ASKING;
            stopTimer();
            request.markStart();
        } finally {
            lock.unlock();
        }
        if (request.callSite().isPresent()) {
            sentCallSite = true;
        }
        CompletionStage<?> unused = slices.ask(this::goesOnWaiting).whenComplete(this::answered);
    }

    private boolean goesOnWaiting() {
        return request.waits()
                && !request.isCancelled()
                && deadlock == null
                && !context.timer().isClosed()
                && !answer.isDone()
                && !request.deadline().passed();
    }

    private void answered(AcquireCall.@Nullable Reply reply, @Nullable Throwable error) {
        boolean abandoned;
        lock.lock();
        try {
            abandoned = state == State.ABANDONED;
            if (!abandoned) {
                state = stateAfter(reply);
            }
        } finally {
            lock.unlock();
        }
        if (abandoned) {
            giveBack();
        } else if (reply != null) {
            failures = reply instanceof AcquireCall.SliceLost ? failures : 0;
            understand(reply);
        } else {
            failed(RedisErrors.causeOf(error == null ? new IllegalStateException("no reply") : error));
        }
    }

    private static State stateAfter(AcquireCall.@Nullable Reply reply) {
        if (reply instanceof AcquireCall.SliceLost) {
            return State.ASKING; // what is left is released first
        }
        boolean last = reply instanceof AcquireCall.Granted || reply instanceof AcquireCall.Refused;
        return last ? State.SETTLED : State.IDLE;
    }

    private void understand(AcquireCall.Reply reply) {
        if (reply instanceof AcquireCall.Granted granted) {
            settle(grant(granted.token()));
        } else if (reply instanceof AcquireCall.Refused refused) {
            settle(refused.busy());
        } else if (reply instanceof AcquireCall.Queued queued) {
            queued(queued);
        } else if (reply instanceof AcquireCall.Quiet quiet) {
            quiet(quiet);
        } else if (reply instanceof AcquireCall.OtherGeneration other) {
            context.learn(other).whenComplete(this::learned);
        } else if (reply instanceof AcquireCall.SliceLost) {
            slices.beginAnew().whenComplete((nothing, error) -> askAnew());
        }
    }

    private RedisGrant grant(long token) {
        return slices.grant(token);
    }

    private void askAnew() {
        lock.lock();
        try {
            if (state == State.ABANDONED) {
                return;
            }
            state = State.IDLE;
        } finally {
            lock.unlock();
        }
        failed(new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "Locking " + request.plan()
                        + " failed: some of the locks were lost before all were acquired. Try again.",
                keys(),
                null));
    }

    private void queued(AcquireCall.Queued queued) {
        long now = System.nanoTime();
        boolean holdsAnything =
                slices.holdsAny() || queued.place() > 1 || !request.outer().isEmpty();
        boolean first = holdsAnything && !looks; // a request that holds nothing blocks no other
        if (first) {
            looks = true;
            lookAt = now + lookIn;
        }
        joinQueue(slices.awaited(queued.place()));
        long usual = holdsAnything ? ASK_AGAIN : ASK_RARELY;
        long pause = queued.knowsNextChange()
                ? Math.min(usual, TimeUnit.MICROSECONDS.toNanos(queued.nextChangeMicros() + 1_000))
                : usual;
        if (first && !sentCallSite) {
            pause = Math.min(pause, CALL_SITE);
        }
        askIn(looks ? Math.min(pause, lookAt - now) : pause);
    }

    private void joinQueue(Slices.Awaited place) {
        Slices.Awaited before;
        lock.lock();
        try {
            if (state == State.SETTLED || state == State.ABANDONED || place.equals(awaited)) {
                return;
            }
            before = awaited;
            awaited = place;
            context.heartbeats().joined(place.partition(), place.key(), this);
        } finally {
            lock.unlock();
        }
        leave(before);
    }

    private void leave(Slices.@Nullable Awaited place) {
        if (place != null) {
            context.heartbeats().left(place.partition(), place.key(), this);
        }
    }

    private void leaveQueue() {
        Slices.Awaited before;
        lock.lock();
        try {
            before = awaited;
            awaited = null;
        } finally {
            lock.unlock();
        }
        leave(before);
    }

    private void quiet(AcquireCall.Quiet quiet) {
        String message = quiet.generation().explainQuiet(quiet.micros(), quiet.why());
        quiet.generation().tellQuiet(message);
        if (goesOnWaiting()) {
            askIn(TimeUnit.MICROSECONDS.toNanos(quiet.micros() + 1_000));
        } else {
            fail(new GrantsPausedException(message, keys(), Duration.of(quiet.micros(), ChronoUnit.MICROS)));
        }
    }

    private void learned(@Nullable Void nothing, @Nullable Throwable error) {
        if (error == null) {
            ask();
        } else {
            failed(RedisErrors.causeOf(error));
        }
    }

    /** What can't be reached now is asked again as long as the request waits. */
    private void failed(Throwable error) {
        if (RedisErrors.isUnavailable(error) && goesOnWaiting()) {
            askIn(Math.min(RETRY << Math.min(failures++, 3), LONGEST_RETRY));
        } else {
            fail(RedisErrors.of(error, "Locking " + request.plan(), keys()));
        }
    }

    private List<LockKey> keys() {
        return request.plan().locks().stream().map(PlannedLock::key).toList();
    }

    // ---- waiting

    private void askIn(long nanos) {
        lock.lock();
        try {
            if (!again) {
                long left = request.deadline().remainingNanos();
                timer = context.timer().later(this::tick, Math.max(0, Math.min(Math.min(nanos, keepIn()), left)));
                return;
            }
        } finally {
            lock.unlock();
        }
        ask();
    }

    /** When slices that it holds have to be kept again. */
    private long keepIn() {
        return slices.holdsAny() ? request.term().toNanos() / KEEPS_PER_TERM : Long.MAX_VALUE;
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void tick() {
        if (!looks || !goesOnWaiting() || System.nanoTime() - lookAt < 0) {
            ask();
            return;
        }
        lookIn = Math.min(2 * lookIn, LONGEST_LOOK);
        lookAt = System.nanoTime() + lookIn;
        CompletionStage<?> unused = context.cycles().find(lease()).whenComplete((report, error) -> {
            if (report != null && report.isPresent() && report.get().victim().equals(request.leaseId())) {
                deadlock = report.get();
            }
            ask();
        });
        if (!context.partitions().isOne()) {
            ask(); // a look at all partitions may take longer than its place in the queue, or what it holds, lasts
        }
    }

    /** Another lease's release in this process let it in; that call was sent at this reading of the clocks. */
    void letIn(long token, long nanos, long millis) {
        if (request.clock() != context.clock() || !slices.isOne()) {
            ask(); // those readings mean nothing to it, or to its other slices
            return;
        }
        lock.lock();
        try {
            if (state != State.IDLE) {
                again = state == State.ASKING; // the reply that is under way may be older
                return;
            }
            state = State.SETTLED;
            stopTimer();
            request.markStart(nanos, millis);
        } finally {
            lock.unlock();
        }
        settle(grant(token));
    }

    // ---- the end

    private void settle(StoreAnswer given) {
        leaveQueue();
        ended.accept(this);
        teller.execute(() -> tell(given));
    }

    private void tell(StoreAnswer given) {
        DeadlockReport report = deadlock;
        StoreAnswer told = given instanceof StoreBusy && report != null ? new StoreDeadlock(report) : given;
        if (context.timer().isClosed() && given instanceof StoreBusy) {
            answer.completeExceptionally(ResponseLimit.closed());
        } else if (!answer.complete(told) && given instanceof RedisGrant) {
            giveBack(); // it was cancelled a moment ago
        }
    }

    /** Unless a release has let it in meanwhile: then the caller may hold it already. */
    private void fail(Throwable error) {
        teller.execute(() -> end(error));
    }

    /** Ends it with an error, unless it has an answer; completes when the server knows. */
    CompletionStage<Boolean> end(Throwable error) {
        return answer.completeExceptionally(error) ? withdraw() : CompletableFuture.completedStage(false);
    }

    /** Ends it for a caller who won't take any answer, not even one that was given a moment ago. */
    CompletionStage<Boolean> abandon(Throwable reason) {
        answer.completeExceptionally(reason);
        return withdraw();
    }

    /** Takes the request out of the queue, or back what it was given; completes when the server has done so, or can't be reached. */
    private CompletionStage<Boolean> withdraw() {
        ended.accept(this);
        lock.lock();
        try {
            state = State.ABANDONED;
            stopTimer();
        } finally {
            lock.unlock();
        }
        leaveQueue();
        return giveBack();
    }

    private CompletionStage<Boolean> giveBack() {
        return slices.release();
    }
}
