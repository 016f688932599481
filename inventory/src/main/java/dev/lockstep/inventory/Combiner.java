package dev.lockstep.inventory;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import dev.lockstep.inventory.Outcome.Overloaded;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Settles together what came together. While the transaction of a stock is on its way, further requests for it wait in its lane; all
 * of them go into the next transaction. There is no timer: the commit is the time to wait, so who comes alone waits for nobody.
 *
 * <p>A caller who finds nobody at work leads one transaction on his own thread, and leaves what has come meanwhile to a worker. Orders
 * of several stocks share one lane. Other processes do the same; the rows' locks keep them apart.
 */
final class Combiner implements Procedure {
    private static final RetryPolicy AGAIN = RetryPolicy.exponential(Duration.ofMillis(5), 2, Duration.ofMillis(100))
            .withJitter(0.5)
            .withAttempts(8);
    private static final Object ORDERS = "orders";
    private static final int LINES = 1_024;
    private static final int TURNS = 64;
    private static final long LONGEST_RETURN = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOMENT = TimeUnit.MICROSECONDS.toNanos(20);

    private final Parts parts;
    private final Map<Object, Lane> lanes = new ConcurrentHashMap<>();

    Combiner(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void handle(Work work) {
        enter(work).ifPresent(lane -> {
            try {
                turn(lane);
            } finally {
                goOn(lane); // whatever happened to this one, others wait
            }
        });
    }

    @Override
    public void handleLater(Work work) {
        enter(work).ifPresent(this::goOn);
    }

    /** Puts a work into its lane; answers the lane if the caller must see to it. */
    private Optional<Lane> enter(Work work) {
        Object name = work.lines().size() == 1 ? work.lines().get(0).key() : ORDERS;
        while (true) {
            Lane lane = lanes.computeIfAbsent(
                    name, any -> new Lane(name, parts.settings().limits().queued()));
            Duration wait = lane.expectedWait(batch());
            if (wait.compareTo(work.deadline().remaining()) > 0) {
                return refuse(work, wait);
            }
            switch (lane.offer(work)) {
                case LEAD -> {
                    return Optional.of(lane);
                }
                case QUEUED -> {
                    return Optional.empty();
                }
                case FULL -> {
                    return refuse(work, wait);
                }
                case CLOSED -> lanes.remove(name, lane);
            }
        }
    }

    private static Optional<Lane> refuse(Work work, Duration wait) {
        work.complete(new Overloaded(work.requestId(), wait.plusMillis(1)));
        return Optional.empty();
    }

    private int batch() {
        return parts.settings().limits().batch();
    }

    /** Leaves a lane to a worker, or gives it up if nobody waits in it. */
    private void goOn(Lane lane) {
        if (lane.closeIfEmpty()) {
            lanes.remove(lane.name(), lane);
        } else {
            parts.workers().execute(() -> drain(lane));
        }
    }

    /** Works a lane off, and now and then lets another one have the thread. */
    private void drain(Lane lane) {
        try {
            for (int i = 0; i < TURNS && !lane.closeIfEmpty(); i++) {
                awaitReturn(lane, turn(lane));
            }
        } finally {
            goOn(lane);
        }
    }

    /** Settles what waits, and answers how many works that were. */
    private int turn(Lane lane) {
        long since = parts.clock().nanos();
        List<Work> works =
                lane.next(batch(), LINES).stream().filter(this::begins).toList();
        if (!works.isEmpty()) {
            settle(works);
            parts.contention().combined(works);
            lane.took(parts.clock().nanos() - since);
        }
        return works.size();
    }

    /**
     * Those who were just answered are often back at once. A moment for as many of them, a tenth of what a transaction takes at most,
     * spares the next ones a transaction that would leave without them. Who came alone isn't waited for.
     */
    private void awaitReturn(Lane lane, int works) {
        long moments = Math.min(lane.turnNanos() / 10, LONGEST_RETURN);
        Deadline end = Deadline.at(parts.clock().nanos() + moments, parts.clock());
        while (works > 1 && lane.size() < works && !end.passed()) {
            parts.clock().park(lane, MOMENT);
        }
    }

    private boolean begins(Work work) {
        if (work.deadline().passed()) {
            work.late();
            return false;
        }
        return work.begin();
    }

    /** Answers all works. An interrupt of this thread is its owner's affair, and not that of the others whose works these are. */
    private void settle(List<Work> works) {
        boolean interrupted = Thread.interrupted();
        for (List<Work> left = works; !left.isEmpty(); left = unanswered(left)) {
            interrupted |= tryToSettle(left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers the works, unless it was interrupted. */
    private boolean tryToSettle(List<Work> works) {
        try {
            AGAIN.call(
                    () -> {
                        parts.clerk().settle(works, Reading.locked(earliest(works)));
                        return works;
                    },
                    ConflictException.class::isInstance,
                    parts.clock());
            return false;
        } catch (InterruptedException e) {
            return true;
        } catch (ConflictException e) {
            return giveUpOrSplit(works);
        } catch (Exception e) {
            works.forEach(work -> work.complete(new Failed(work.requestId(), e)));
            return false;
        }
    }

    /** One work that always meets a conflict, because its rows were changed by hand, doesn't fail those beside it. */
    private boolean giveUpOrSplit(List<Work> works) {
        List<Work> left = unanswered(works);
        if (left.size() > 1) {
            int half = left.size() / 2;
            boolean interrupted = tryToSettle(left.subList(0, half));
            return tryToSettle(left.subList(half, left.size())) || interrupted;
        }
        left.forEach(work -> work.complete(new GaveUp(work.requestId(), Reason.CONFLICTS, AGAIN.max())));
        return false;
    }

    private static List<Work> unanswered(List<Work> works) {
        return works.stream().filter(Work::isOpen).toList();
    }

    private static Deadline earliest(List<Work> works) {
        return works.stream().map(Work::deadline).reduce(Deadline::orEarlier).orElseThrow();
    }
}
