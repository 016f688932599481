package dev.lockstep.redis;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * One request on its way
 * ----------------------
 * It asks the server with one call. When it is queued, it asks again: when the server hints that its turn has come, when a lease in its way
 * must be over, and in any case once a second. A lost hint costs time, never a lock. When its time is over it asks one last time, now or
 * never. Each asking is the same call, and does no harm when it was done and the answer was lost.
 *
 * At most one asking is under way at a time. Whatever happens during it only notes that it has to be asked again. The step to SETTLED is
 * taken under the lock in which the server's answer is read: from then on nothing is asked, and the moment from which the holder counts its
 * term stays. What was abandoned by its caller before that step is given back; what was settled never is.
 *
 * Locks of several partitions
 * ---------------------------
 * In a cluster the sorted locks are cut into parts, each of one partition, which are asked for one after the other. While it waits for one, it
 * holds those before it as granted leases, and keeps them with each asking; it is in no queue of a later one. If one of them is lost
 * meanwhile, it gives back all and begins anew: taking the lost one again while it holds or waits for a later one would be out of order.
 *
 * Once it has the last part, it keeps all others once more before it answers, for two reasons:
 *
 * - Time. The holder counts its term from the last marked moment, which was before the last part was asked for. The other parts were asked for
 *   earlier, and might end sooner than the holder believes. Kept after that moment, none does.
 * - Tokens. The lease's token is that of its last part. Each part was asked for with the greatest token that this process had seen, so tokens rise
 *   from part to part, and the last is the greatest. Keeping a part raises its partition's sequence to it, in the same step in which the
 *   partition finds the part still held. So before anyone learns of a token, and while all its locks are held, every partition involved
 *   gives out only greater ones. Whoever gets one of the keys later, and not together with this lease, got its part from that
 *   partition after this one was over, with a greater number; and its token is no lower than that of any of its parts.
 */
final class Acquisition {
    private static final long ASK_AGAIN = TimeUnit.SECONDS.toNanos(1);
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
    private final Waits waits;
    private final Executor teller;
    private final List<Part> parts;
    private final List<AcquireCall> calls;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.IDLE;
    private int at;
    private boolean again;
    private int failures;
    private @Nullable Future<?> timer;
    private volatile long lookIn = FIRST_LOOK;
    private volatile long lookAt;
    private volatile boolean looks;
    private volatile @Nullable DeadlockReport deadlock;

    /** {@code teller} runs what is done with the answer. */
    Acquisition(StoreRequest request, Waits waits, Executor teller) {
        this.teller = teller;
        this.request = request;
        this.waits = waits;
        parts = waits.partitions.cut(request.leaseId().toString(), request.plan());
        calls = parts.stream()
                .map(part -> new AcquireCall(request, part, waits.process, waits.patienceMicros))
                .toList();
    }

    String lease() {
        return parts.get(0).id();
    }

    // ---- asking

    void ask() {
        int place;
        lock.lock();
        try {
            again = state == State.ASKING;
            if (state != State.IDLE) {
                return;
            }
            state = State.ASKING;
            stopTimer();
            request.markStart();
            place = at;
        } finally {
            lock.unlock();
        }
        if (place == 0) {
            send(place).whenComplete((words, error) -> answered(place, words, error));
        } else {
            waits.keep(parts.subList(0, place), request.term())
                    .thenCombine(send(place), Acquisition::unlessLost)
                    .whenComplete((words, error) -> answered(place, words, error));
        }
    }

    private CompletionStage<List<Object>> send(int place) {
        AcquireCall call = calls.get(place);
        String site = CallSites.text(request.callSite());
        return waits.servers.call(call.part.partition(), Script.ACQUIRE, call.arguments(goesOnWaiting(), site));
    }

    /** An earlier part is gone: whatever was answered for this one, it can't be used. */
    private static final class PartLost extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static List<Object> unlessLost(boolean kept, List<Object> words) {
        if (!kept) {
            throw new PartLost();
        }
        return words;
    }

    private boolean goesOnWaiting() {
        return request.waits()
                && !request.isCancelled()
                && deadlock == null
                && !waits.isClosed()
                && !request.deadline().passed();
    }

    private void answered(int place, @Nullable List<Object> words, @Nullable Throwable error) {
        AcquireCall.Reply reply = null;
        Throwable failure = error;
        try {
            reply = words == null ? null : calls.get(place).read(words);
        } catch (RuntimeException e) {
            failure = e;
        }
        if (moveOn(next(reply, failure))) {
            giveBack();
        } else if (reply != null) {
            failures = 0;
            understand(place, reply);
        } else {
            failed(RedisErrors.causeOf(failure == null ? new IllegalStateException("no reply") : failure));
        }
    }

    /** What comes after an answer: more to ask for, an end, or a wait. */
    private State next(AcquireCall.@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply instanceof AcquireCall.Granted) {
            return parts.size() == 1 ? State.SETTLED : State.ASKING;
        }
        if (failure != null && RedisErrors.causeOf(failure) instanceof PartLost) {
            return State.ASKING;
        }
        return reply instanceof AcquireCall.Refused ? State.SETTLED : State.IDLE;
    }

    /** Answers whether nobody wants to know any more. */
    private boolean moveOn(State next) {
        lock.lock();
        try {
            if (state != State.ABANDONED) {
                state = next;
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void understand(int place, AcquireCall.Reply reply) {
        Partition partition = parts.get(place).partition();
        if (reply instanceof AcquireCall.Granted granted) {
            partition.life().saw(granted.token());
            granted(place, granted.token());
        } else if (reply instanceof AcquireCall.Refused refused) {
            refused(place, refused.busy());
        } else if (reply instanceof AcquireCall.Queued queued) {
            queued(place, queued);
        } else if (reply instanceof AcquireCall.Quiet quiet) {
            quiet(partition.life(), quiet);
        } else if (reply instanceof AcquireCall.OtherLife other) {
            waits.learn(partition, other).whenComplete(this::learned);
        }
    }

    private RedisGrant grant(long token) {
        return new RedisGrant(lease(), parts, request.plan(), token);
    }

    // ---- parts

    private void granted(int place, long token) {
        if (parts.size() == 1) {
            settle(grant(token));
        } else if (place + 1 < parts.size()) {
            if (goOnAt(place + 1)) {
                send(place + 1).whenComplete((words, error) -> answered(place + 1, words, error));
            } else {
                giveBack();
            }
        } else {
            waits.keep(parts.subList(0, place), request.term())
                    .whenComplete((kept, error) -> confirmed(token, kept, error));
        }
    }

    private boolean goOnAt(int place) {
        lock.lock();
        try {
            at = place;
            return state == State.ASKING;
        } finally {
            lock.unlock();
        }
    }

    private void confirmed(long token, @Nullable Boolean kept, @Nullable Throwable error) {
        boolean lost = kept != null && !kept;
        if (moveOn(error != null ? State.IDLE : lost ? State.ASKING : State.SETTLED)) {
            giveBack();
        } else if (error != null) {
            failed(RedisErrors.causeOf(error));
        } else if (lost) {
            failed(new PartLost());
        } else {
            settle(grant(token));
        }
    }

    /** Whoever learns that it was refused finds nothing held by it, unless a server doesn't answer. */
    private void refused(int place, StoreBusy busy) {
        if (place == 0) {
            settle(busy);
        } else {
            long limit = waits.servers.answers().within().toNanos();
            CompletableFuture<Boolean> unused = waits.release(parts.subList(0, place))
                    .toCompletableFuture()
                    .orTimeout(limit, TimeUnit.NANOSECONDS)
                    .whenComplete((held, error) -> settle(busy));
        }
    }

    /** Gives back what is left, and asks for everything anew as long as the request waits. */
    private void beginAnew() {
        giveBack().whenComplete((held, error) -> {
            if (!goOnAt(0)) {
                return;
            }
            if (moveOn(State.IDLE)) {
                return;
            }
            if (goesOnWaiting()) {
                askIn(retryPause());
            } else {
                fail(new LockException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "Locking " + request.plan()
                                + " failed: a server lost some of the locks before all could be had." + " Try again.",
                        keys(),
                        null));
            }
        });
    }

    private void queued(int place, AcquireCall.Queued queued) {
        long now = System.nanoTime();
        boolean holdsAnything =
                place > 0 || queued.place() > 1 || !request.outer().isEmpty();
        if (holdsAnything && !looks) { // who holds nothing holds up nobody
            looks = true;
            lookAt = now + lookIn;
        }
        long pause = queued.knowsNextChange()
                ? Math.min(ASK_AGAIN, TimeUnit.MICROSECONDS.toNanos(queued.nextChangeMicros() + 1_000))
                : ASK_AGAIN;
        askIn(looks ? Math.min(pause, lookAt - now) : pause);
    }

    private void quiet(Life life, AcquireCall.Quiet quiet) {
        String message = life.explainQuiet(quiet.micros(), quiet.why());
        life.tellQuiet(message);
        if (goesOnWaiting()) {
            askIn(TimeUnit.MICROSECONDS.toNanos(quiet.micros() + 1_000));
        } else {
            fail(new LockException(ErrorCode.STORE_UNAVAILABLE, message, keys(), null));
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
        if (error instanceof PartLost) {
            beginAnew();
        } else if (RedisErrors.isUnavailable(error) && goesOnWaiting()) {
            askIn(retryPause());
        } else {
            fail(RedisErrors.of(error, "Locking " + request.plan(), keys()));
        }
    }

    private long retryPause() {
        return Math.min(RETRY << Math.min(failures++, 3), LONGEST_RETRY);
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
                timer = waits.later(this::tick, Math.max(0, Math.min(Math.min(nanos, keepPause()), left)));
                return;
            }
        } finally {
            lock.unlock();
        }
        ask();
    }

    /** Parts that it holds have to be kept before they end. */
    private long keepPause() {
        return at == 0 ? Long.MAX_VALUE : request.term().toNanos() / KEEPS_PER_TERM;
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
        CompletionStage<?> unused = waits.cycles.find(lease()).whenComplete((report, error) -> {
            if (report != null && report.isPresent() && report.get().victim().equals(request.leaseId())) {
                deadlock = report.get();
            }
            ask();
        });
        if (parts.size() > 1) {
            ask(); // a look at all partitions may take longer than what it holds lasts
        }
    }

    /** Another lease's release in this process let it in; that call was sent at this reading of the clocks. */
    void letIn(long token, long nanos, long millis) {
        if (request.clock() != waits.clock || parts.size() > 1) {
            ask(); // those readings mean nothing to it, or to its other parts
            return;
        }
        lock.lock();
        try {
            if (state != State.IDLE) {
                return; // the answer that is under way tells the same, or nobody wants to know
            }
            state = State.SETTLED;
            stopTimer();
            request.markStart(nanos, millis);
        } finally {
            lock.unlock();
        }
        parts.get(0).partition().life().saw(token);
        settle(grant(token));
    }

    // ---- the end

    private void settle(StoreAnswer given) {
        waits.remove(this);
        teller.execute(() -> tell(given));
    }

    private void tell(StoreAnswer given) {
        DeadlockReport report = deadlock;
        StoreAnswer told = given instanceof StoreBusy && report != null ? new StoreDeadlock(report) : given;
        if (waits.isClosed() && given instanceof StoreBusy) {
            answer.completeExceptionally(Answers.closed());
        } else if (!answer.complete(told) && given instanceof RedisGrant) {
            giveBack(); // it was cancelled a moment ago
        }
    }

    private void fail(Throwable error) {
        teller.execute(() -> abandon(error));
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
        waits.remove(this);
        lock.lock();
        try {
            state = State.ABANDONED;
            stopTimer();
        } finally {
            lock.unlock();
        }
        return giveBack();
    }

    /** The parts that it has asked for so far. */
    private CompletionStage<Boolean> giveBack() {
        int asked;
        lock.lock();
        try {
            asked = at + 1;
        } finally {
            lock.unlock();
        }
        return waits.release(parts.subList(0, asked));
    }
}
