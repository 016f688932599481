package dev.lockstep.redis;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockPlan;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests of this process that are not answered yet, and what they share. */
final class Waits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Waits.class);

    private static final long CLOSE_MILLIS = 1_000;

    final RedisLink link;
    final Life life;
    final RedisKinds kinds;
    final Cycles cycles;
    final LockClock clock;

    /** How long the server believes that a request which waits is alive when it doesn't ask again. */
    final long patienceMicros;

    /** The name under which the server wakes this store. */
    final String process;

    private final Map<String, Acquisition> open = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor timer;
    private volatile boolean closed;

    Waits(RedisLink link, Life life, RedisKinds kinds, Cycles cycles, LockClock clock, String process) {
        patienceMicros = TimeUnit.SECONDS.toMicros(2) + Life.micros(link.answerWithin());
        this.link = link;
        this.life = life;
        this.kinds = kinds;
        this.cycles = cycles;
        this.clock = clock;
        this.process = process;
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "lockstep-redis-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setRejectedExecutionHandler(
                new ThreadPoolExecutor.DiscardPolicy()); // once closed, nothing is left to do later
    }

    Acquisition begin(StoreRequest request, Executor teller) {
        life.requireWithinLongest(request.term());
        Acquisition acquisition = new Acquisition(request, this, teller);
        open.put(acquisition.lease(), acquisition); // before it asks, so that no hint finds it missing
        if (closed) {
            remove(acquisition);
            throw link.closedException();
        }
        acquisition.ask();
        return acquisition;
    }

    void remove(Acquisition acquisition) {
        open.remove(acquisition.lease());
    }

    // ---- what happens to them

    /** The server says that this lease's turn may have come. */
    void hint(String lease) {
        Acquisition acquisition = open.get(lease);
        if (acquisition != null) {
            acquisition.ask();
        }
    }

    /** Learns of the life that the server is in; what was declared in an earlier one is declared in this one first. */
    CompletionStage<Void> learn(String birth, String longest) {
        try {
            life.requireSameLongest(longest);
            return kinds.declareAgain().thenRun(() -> life.learned(birth));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Ends a lease on the server, granted or waiting. Answers whether it was held; never fails, but tells of it. */
    CompletionStage<Boolean> release(String lease, LockPlan plan) {
        return tryRelease(lease, plan).exceptionally(error -> {
            Throwable cause = RedisErrors.causeOf(error);
            String message =
                    "Lease {} on {} could not be taken back on the server: if it was granted, it ends with its term";
            if (RedisErrors.isUnavailable(cause) || closed) { // whoever asked is told that anyway
                LOG.debug(message, lease, plan, cause);
            } else {
                LOG.warn(message, lease, plan, cause);
            }
            return false;
        });
    }

    /** The same, failing with what went wrong. */
    CompletionStage<Boolean> tryRelease(String lease, LockPlan plan) {
        long nanos = clock.nanos();
        long millis = clock.millis();
        String[] arguments = new String[4 + 2 * plan.size()];
        arguments[0] = life.longest();
        arguments[1] = life.greatest();
        arguments[2] = lease;
        arguments[3] = process;
        for (int i = 0; i < plan.size(); i++) {
            arguments[4 + 2 * i] = plan.mode(i).symbol();
            arguments[5 + 2 * i] = plan.key(i).toString();
        }
        return link.call(Script.RELEASE, arguments).thenApply(reply -> {
            letIn(reply, nanos, millis);
            return (Long) reply.get(0) == 1;
        });
    }

    private void letIn(List<Object> reply, long nanos, long millis) {
        for (int i = 1; i + 1 < reply.size(); i += 2) {
            Acquisition acquisition = open.get((String) reply.get(i));
            if (acquisition != null) {
                acquisition.letIn(Long.parseLong((String) reply.get(i + 1)), nanos, millis);
            }
        }
    }

    // ---- time

    /** Does something after a while, unless the store is closed by then. */
    Future<?> later(Runnable task, long nanos) {
        return timer.schedule(() -> runSafely(task), nanos, TimeUnit.NANOSECONDS);
    }

    /** Does something again and again; what goes wrong once doesn't end it. */
    void every(Runnable task, long nanos) {
        Future<?> unused = timer.scheduleWithFixedDelay(() -> runSafely(task), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("The Redis store goes on after an error", e);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends all of them with an error, and waits until the server knows. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        List<CompletableFuture<Boolean>> ends = open.values().stream()
                .map(each -> each.end(link.closedException()).toCompletableFuture())
                .toList();
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Not all requests could be taken back on the server: they end by themselves", e);
        }
    }
}
