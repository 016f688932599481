package dev.lockstep.redis;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockPlan;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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

    final Servers servers;
    final Partitions partitions;
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

    Waits(Servers servers, Partitions partitions, RedisKinds kinds, Cycles cycles, LockClock clock, String process) {
        patienceMicros =
                TimeUnit.SECONDS.toMicros(2) + Life.micros(servers.answers().within());
        this.servers = servers;
        this.partitions = partitions;
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
        partitions.requireWithinLongest(request.term());
        Acquisition acquisition = new Acquisition(request, this, teller);
        open.put(acquisition.lease(), acquisition); // before it asks, so that no hint finds it missing
        if (closed) {
            remove(acquisition);
            throw Answers.closed();
        }
        acquisition.ask();
        return acquisition;
    }

    void remove(Acquisition acquisition) {
        open.remove(acquisition.lease(), acquisition); // a later request may have its lease id
    }

    // ---- what happens to them

    /** The server says that this lease's turn may have come. */
    void hint(String lease) {
        Acquisition acquisition = open.get(lease);
        if (acquisition != null) {
            acquisition.ask();
        }
    }

    /** Learns of the life that a partition is in; what was declared in an earlier one is declared in this one first. */
    CompletionStage<Void> learn(AcquireCall.OtherLife other) {
        Partition partition = other.partition();
        try {
            partition.life().requireSame(other.longest(), other.partitions());
            return kinds.declareAgain(partition).thenRun(() -> partition.life().learned(other.birth()));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Lets parts of a request last for a term from now on, and raises what they know of tokens. Answers whether all are held. */
    CompletionStage<Boolean> keep(List<Part> parts, Duration term) {
        String micros = Long.toString(Life.micros(term));
        return Stages.all(parts, part -> servers.call(part.partition(), Script.RENEW, part.id(), micros))
                .thenApply(answers -> answers.stream().allMatch(held -> (Long) held.get(0) == 1));
    }

    /** Ends a lease on the servers, granted or waiting. Answers whether it was held; never fails, but tells of it. */
    CompletionStage<Boolean> release(List<Part> parts) {
        return tryRelease(parts).exceptionally(error -> {
            Throwable cause = RedisErrors.causeOf(error);
            String message = "Lease {} could not be taken back on the server: if it was granted, it ends with its term";
            if (RedisErrors.isUnavailable(cause) || closed) { // whoever asked is told that anyway
                LOG.debug(message, parts.get(0).id(), cause);
            } else {
                LOG.warn(message, parts.get(0).id(), cause);
            }
            return false;
        });
    }

    /** The same, failing with what went wrong. The last part goes first; one that fails keeps no other from going. */
    CompletionStage<Boolean> tryRelease(List<Part> parts) {
        if (parts.size() == 1) {
            return tryRelease(parts.get(0));
        }
        List<Part> reversed = new ArrayList<>(parts);
        Collections.reverse(reversed);
        return Stages.all(reversed, this::tryRelease)
                .thenApply(held -> held.stream().allMatch(each -> each));
    }

    private CompletionStage<Boolean> tryRelease(Part part) {
        long nanos = clock.nanos();
        long millis = clock.millis();
        LockPlan plan = part.plan();
        String[] arguments = new String[2 + 2 * plan.size()];
        arguments[0] = part.id();
        arguments[1] = process;
        for (int i = 0; i < plan.size(); i++) {
            arguments[2 + 2 * i] = plan.mode(i).symbol();
            arguments[3 + 2 * i] = plan.key(i).toString();
        }
        return servers.call(part.partition(), Script.RELEASE, arguments).thenApply(reply -> {
            letIn(reply, nanos, millis);
            return (Long) reply.get(0) == 1;
        });
    }

    private void letIn(List<Object> reply, long nanos, long millis) {
        for (int i = 1; i + 1 < reply.size(); i += 2) {
            Acquisition acquisition = open.get(Part.leaseOf((String) reply.get(i)));
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
                .map(each -> each.end(Answers.closed()).toCompletableFuture())
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
