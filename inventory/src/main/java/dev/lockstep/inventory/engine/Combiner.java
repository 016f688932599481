package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.sql.ConflictException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Commits one transaction for the requests that came together. While a transaction of a stock is running, further requests for it wait
 * in its lane; all of them go into the next transaction. There is no timer: the commit is the time to wait, so a request that comes
 * alone doesn't wait.
 *
 * <p>The first caller to find the lane idle becomes its leader: it commits one transaction on its own thread, and leaves what has come
 * meanwhile to a worker. After a conflict the batch is tried again after a pause, in which no thread waits. Which requests share a lane is up
 * to the {@link Batching}. Other processes do the same; the row locks keep them apart.
 */
final class Combiner implements SettlementStrategy {
    private static final RetryPolicy AGAIN = RetryPolicy.exponential(Duration.ofMillis(5), 2, Duration.ofMillis(100))
            .withJitter(0.5)
            .withAttempts(8);
    private static final int LINES = 1_024;
    private static final int TURNS = 64;
    private static final long LONGEST_RETURN = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOMENT = TimeUnit.MICROSECONDS.toNanos(20);

    private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int SLOW_FACTOR = 4;

    private final StrategyContext context;
    private final Batching batching;
    private final Workers usual;
    private final Map<Object, Lane> lanes = new ConcurrentHashMap<>();
    private volatile long usualNanos;

    /** With the threads for lanes that aren't slow. */
    Combiner(StrategyContext context, Batching batching, Workers usual) {
        this.context = context;
        this.batching = batching;
        this.usual = usual;
    }

    @Override
    public void handle(PendingCommand work) {
        enter(work).ifPresent(lane -> lead(lane, 1));
    }

    @Override
    public void handleLater(PendingCommand work) {
        enter(work).ifPresent(this::goOn);
    }

    /** Puts a command into its lane; returns the lane if the caller must lead it. */
    private Optional<Lane> enter(PendingCommand work) {
        Object name = batching.lane(work);
        while (true) {
            Lane lane = lanes.computeIfAbsent(
                    name, any -> new Lane(name, context.settings().limits().queued()));
            Duration wait = lane.expectedWait(batch());
            if (wait.compareTo(work.deadline().remaining()) > 0) {
                return refuse(work, wait);
            }
            switch (lane.offer(work)) {
                case LEAD -> {
                    context.monitor().queued(1);
                    return Optional.of(lane);
                }
                case QUEUED -> {
                    context.monitor().queued(1);
                    return Optional.empty();
                }
                case FULL -> {
                    return refuse(work, wait);
                }
                case CLOSED -> lanes.remove(name, lane);
            }
        }
    }

    private static Optional<Lane> refuse(PendingCommand work, Duration wait) {
        work.complete(new Overloaded(work.requestId(), wait.plusMillis(1)));
        return Optional.empty();
    }

    private int batch() {
        return context.settings().limits().batch();
    }

    /** Leaves a lane to a worker, or closes it if it is empty. */
    private void goOn(Lane lane) {
        if (lane.closeIfEmpty()) {
            lanes.remove(lane.name(), lane);
        } else {
            leadOnWorker(lane);
        }
    }

    private void leadOnWorker(Lane lane) {
        Runnable lead = () -> lead(lane, TURNS);
        try {
            threads(lane).execute(lead);
        } catch (RuntimeException
                | Error e) { // no thread could be started: without a leader, the lane would wait forever
            context.timer().after(AGAIN.pauseAfter(1), threads(lane), lead);
        }
    }

    /** A lane whose row others keep locked has separate threads, so that it doesn't keep the other lanes waiting. */
    private Workers threads(Lane lane) {
        long turn = lane.turnNanos();
        return turn > SLOW && turn > SLOW_FACTOR * usualNanos ? context.slowWorkers() : usual;
    }

    /** Commits up to this many transactions on this thread, and leaves the rest of the lane to a worker. */
    private void lead(Lane lane, int turns) {
        boolean paused = false;
        try {
            for (int i = 0; i < turns && !paused && !lane.closeIfEmpty(); i++) {
                Batch batch = next(lane);
                paused = !finish(batch);
                if (!paused && i + 1 < turns) {
                    awaitReturn(lane, batch.works().size());
                }
            }
        } finally {
            if (!paused) {
                goOn(lane); // whatever happened to this batch, others wait
            }
        }
    }

    /** Commands that are settled together, and the number of the attempt. */
    private record Batch(Lane lane, List<PendingCommand> works, int attempt, long since) {
        Batch again(List<PendingCommand> left) {
            return new Batch(lane, left, attempt + 1, since);
        }
    }

    private Batch next(Lane lane) {
        long since = context.clock().nanos();
        List<PendingCommand> next = lane.next(batch(), LINES);
        context.monitor().queued(-next.size());
        List<PendingCommand> works = next.stream().filter(this::begins).toList();
        return new Batch(lane, works, 1, since);
    }

    /** Settles a batch; returns false if it is to be tried again later, when no thread waits meanwhile and the lane stays led. */
    private boolean finish(Batch batch) {
        List<PendingCommand> left = batch.works().isEmpty() ? List.of() : settle(batch.works());
        if (!left.isEmpty() && AGAIN.allowsAfter(batch.attempt())) {
            Batch again = batch.again(left);
            context.timer().after(AGAIN.pauseAfter(batch.attempt()), threads(batch.lane()), () -> resume(again));
            return false;
        }
        giveUpOrSplit(left);
        if (!batch.works().isEmpty()) {
            took(batch);
        }
        return true;
    }

    private void resume(Batch batch) {
        boolean paused = false;
        try {
            paused = !finish(batch);
        } finally {
            if (!paused) {
                goOn(batch.lane());
            }
        }
    }

    private void took(Batch batch) {
        batching.settled(batch.works());
        long nanos = context.clock().nanos() - batch.since();
        batch.lane().took(nanos);
        usualNanos = (15 * usualNanos + nanos) / 16;
    }

    /**
     * Clients often send the next request at once. Waiting a moment for as many of them, a tenth of a transaction's duration at most,
     * avoids a transaction without them. A lone command doesn't wait.
     */
    private void awaitReturn(Lane lane, int works) {
        long moments = Math.min(lane.turnNanos() / 10, LONGEST_RETURN);
        Deadline end = Deadline.at(context.clock().nanos() + moments, context.clock());
        while (works > 1 && lane.size() < works && !end.passed()) {
            context.clock().park(lane, MOMENT);
        }
    }

    private boolean begins(PendingCommand work) {
        if (work.deadline().passed()) {
            work.late();
            return false;
        }
        return work.begin();
    }

    /** Settles the commands, and returns those that met a conflict. An interrupt of this thread is only for its owner, not for other callers. */
    private List<PendingCommand> settle(List<PendingCommand> works) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    batching.settle(works);
                    return List.of();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ConflictException e) {
                    return unanswered(works);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One command that always meets a conflict, because its rows were changed by hand, doesn't fail those beside it. */
    private void giveUpOrSplit(List<PendingCommand> works) {
        if (works.size() == 1) {
            PendingCommand work = works.get(0);
            work.complete(new GaveUp(work.requestId(), Reason.CONFLICTS, AGAIN.max()));
        } else if (works.size() > 1) {
            int half = works.size() / 2;
            giveUpOrSplit(settle(works.subList(0, half)));
            giveUpOrSplit(settle(works.subList(half, works.size())));
        }
    }

    private static List<PendingCommand> unanswered(List<PendingCommand> works) {
        return works.stream().filter(PendingCommand::isOpen).toList();
    }
}
