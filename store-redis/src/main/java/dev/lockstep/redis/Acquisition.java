package dev.lockstep.redis;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockPlan;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
 * At most one asking is under way at a time. Whatever happens during it only notes that it has to be asked again.
 */
final class Acquisition {
    /** How long the server believes that a request which waits is alive when it doesn't ask again. */
    private static final String PATIENCE_MICROS = Long.toString(TimeUnit.SECONDS.toMicros(3));

    private static final long ASK_AGAIN = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_LOOK = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(2);
    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_RETRY = TimeUnit.MILLISECONDS.toNanos(400);

    /** Where in the arguments what changes from one asking to the next is. */
    private static final int GREATEST = 1;

    private static final int BIRTH = 2;
    private static final int WAITS = 4;
    private static final int CALL_SITE = 9;
    private static final int FIXED = 11;

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
    final String lease;
    final CompletableFuture<StoreAnswer> answer = new Answer();
    private final Waits waits;
    private final Executor teller;
    private final String[] arguments;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean asking;
    private boolean again;
    private int failures;
    private long queuedAt;
    private long lookAt;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable DeadlockReport deadlock;
    private @Nullable Future<?> timer;

    /** {@code teller} runs what is done with the answer. */
    Acquisition(StoreRequest request, Waits waits, Executor teller) {
        this.teller = teller;
        this.request = request;
        this.waits = waits;
        lease = request.leaseId().toString();
        arguments = arguments(request, waits, lease);
    }

    private static String[] arguments(StoreRequest request, Waits waits, String lease) {
        LockPlan plan = request.plan();
        String[] arguments = new String[FIXED + 2 * plan.size()];
        arguments[0] = waits.life.longest();
        arguments[3] = lease;
        arguments[5] = waits.process;
        arguments[6] = Long.toString(Life.micros(request.term()));
        arguments[7] = PATIENCE_MICROS;
        arguments[8] = Line.of(request.owner());
        arguments[10] = outer(request);
        for (int i = 0; i < plan.size(); i++) {
            arguments[FIXED + 2 * i] = plan.mode(i).symbol();
            arguments[FIXED + 2 * i + 1] = plan.key(i).toString();
        }
        return arguments;
    }

    private static String outer(StoreRequest request) {
        if (request.outer().isEmpty()) {
            return "";
        }
        StringBuilder ids = new StringBuilder();
        request.outer().forEach(grant -> {
            if (grant instanceof RedisGrant outer) {
                ids.append(outer.lease()).append(' ');
            }
        });
        return ids.toString().trim();
    }

    // ---- asking

    void ask() {
        lock.lock();
        try {
            if (answer.isDone()) {
                return;
            }
            if (asking) {
                again = true;
                return;
            }
            asking = true;
            again = false;
            stopTimer();
        } finally {
            lock.unlock();
        }
        request.markStart();
        String[] now = arguments.clone();
        now[GREATEST] = waits.life.greatest();
        now[BIRTH] = waits.life.birth();
        now[WAITS] = goesOnWaiting() ? "1" : "0";
        now[CALL_SITE] = CallSites.text(request.callSite());
        waits.link.call(Script.ACQUIRE, now).whenComplete(this::answered);
    }

    private boolean goesOnWaiting() {
        return request.waits()
                && !request.isCancelled()
                && deadlock == null
                && !waits.isClosed()
                && !request.deadline().passed();
    }

    private void answered(@Nullable List<Object> reply, @Nullable Throwable error) {
        boolean abandoned;
        lock.lock();
        try {
            asking = false;
            abandoned = answer.isDone();
        } finally {
            lock.unlock();
        }
        if (abandoned) {
            waits.release(lease, request.plan());
            return;
        }
        try {
            if (reply == null) {
                failed(RedisErrors.causeOf(error == null ? new IllegalStateException("no reply") : error));
            } else {
                failures = 0;
                failure = null;
                understand(reply);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void understand(List<Object> reply) {
        switch ((String) reply.get(0)) {
            case "granted" -> finish(grant((String) reply.get(1)));
            case "queued" -> queued(Long.parseLong((String) reply.get(2)));
            case "busy" -> finish(busy(reply));
            case "quiet" -> quiet(Long.parseLong((String) reply.get(1)), (String) reply.get(2));
            case "life" ->
                waits.learn((String) reply.get(1), (String) reply.get(2)).whenComplete(this::learned);
            default -> throw new IllegalStateException("The script answered " + reply);
        }
    }

    private RedisGrant grant(String token) {
        long number = Long.parseLong(token);
        waits.life.saw(number);
        return new RedisGrant(lease, request.plan(), number);
    }

    private void queued(long nextExpiryMicros) {
        long now = System.nanoTime();
        if (queuedAt == 0) {
            queuedAt = now;
            lookAt = now + FIRST_LOOK;
        }
        long pause = nextExpiryMicros < 0 ? ASK_AGAIN : TimeUnit.MICROSECONDS.toNanos(nextExpiryMicros + 1_000);
        askIn(Math.min(Math.min(pause, ASK_AGAIN), lookAt - now));
    }

    private void quiet(long micros, String why) {
        String message = waits.life.explainQuiet(micros, why);
        waits.life.tellQuiet(message);
        LockException error = new LockException(ErrorCode.STORE_UNAVAILABLE, message, keys(), null);
        if (goesOnWaiting()) {
            askIn(TimeUnit.MICROSECONDS.toNanos(micros + 1_000));
        } else {
            fail(error);
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
        failure = error;
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
                timer = waits.later(this::tick, Math.max(0, Math.min(nanos, left)));
                return;
            }
        } finally {
            lock.unlock();
        }
        ask();
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void tick() {
        if (queuedAt != 0 && goesOnWaiting() && System.nanoTime() - lookAt >= 0) {
            lookAt = System.nanoTime() + LOOK_AGAIN;
            waits.cycles.find(lease).whenComplete((report, error) -> {
                if (report != null
                        && report.isPresent()
                        && report.get().victim().equals(request.leaseId())) {
                    deadlock = report.get();
                }
                ask();
            });
        } else {
            ask();
        }
    }

    /** Another lease's release in this process let it in; that call was sent at this reading of the clocks. */
    void letIn(String token, long nanos, long millis) {
        lock.lock();
        try {
            if (asking || request.clock() != waits.clock) {
                again = true; // the answer that is under way tells the same
            }
            if (asking) {
                return;
            }
            stopTimer();
        } finally {
            lock.unlock();
        }
        if (request.clock() == waits.clock) {
            request.markStart(nanos, millis);
            finish(grant(token));
        } else {
            ask();
        }
    }

    // ---- the end

    private void finish(StoreAnswer given) {
        waits.remove(this);
        teller.execute(() -> tell(given));
    }

    private void tell(StoreAnswer given) {
        DeadlockReport report = deadlock;
        StoreAnswer told = given instanceof StoreBusy && report != null ? new StoreDeadlock(report) : given;
        if (waits.isClosed() && !(given instanceof RedisGrant)) {
            answer.completeExceptionally(waits.link.closedException());
        } else if (!answer.complete(told) && given instanceof RedisGrant) {
            waits.release(lease, request.plan());
        }
    }

    private void fail(Throwable error) {
        teller.execute(() -> end(error));
    }

    /** Ends it with an error; completes when the server knows. */
    CompletionStage<Boolean> end(Throwable error) {
        return answer.completeExceptionally(error) ? withdraw() : CompletableFuture.completedStage(false);
    }

    /** Ends it for a caller who won't take any answer, not even one that was given a moment ago. */
    CompletionStage<Boolean> abandon(Throwable reason) {
        answer.completeExceptionally(reason);
        return withdraw();
    }

    /** Takes the request out of the queue, or back what it was given; completes when the server has done so, or can't be reached. */
    CompletionStage<Boolean> withdraw() {
        waits.remove(this);
        lock.lock();
        try {
            stopTimer();
        } finally {
            lock.unlock();
        }
        return waits.release(lease, request.plan());
    }

    /** What went wrong last, if the server could not be reached. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    private StoreBusy busy(List<Object> reply) {
        int place = Math.toIntExact((Long) reply.get(1)) - 1;
        List<Blocker> blockers = new ArrayList<>();
        for (int i = 2; i + 4 < reply.size(); i += 5) {
            blockers.add(new Blocker(
                    (String) reply.get(i + 4),
                    UUID.fromString((String) reply.get(i)),
                    LeaseRecord.mode((String) reply.get(i + 1)),
                    LeaseRecord.instant((String) reply.get(i + 3)),
                    "1".equals(reply.get(i + 2))));
        }
        LockPlan plan = request.plan();
        return new StoreBusy(new PlannedLock(plan.key(place), plan.mode(place)), blockers);
    }
}
