package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Tries behaviours, one after the other, in a scratch database or namespace. What hangs is given up. */
public final class Verification implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Scratch scratch;
    private final Pace pace;
    private final Progress progress;
    private final long start;
    private boolean closed;
    private @Nullable Stage stage;
    private boolean unreachable;

    /** A trial in this place, whose time runs from now. */
    public Verification(Scratch scratch, Pace pace, Progress progress) {
        this(scratch, pace, progress, System.nanoTime());
    }

    Verification(Scratch scratch, Pace pace, Progress progress, long start) {
        this.start = start;
        this.scratch = scratch;
        this.pace = pace;
        this.progress = progress;
    }

    /** Tries all of them. */
    public Report run(List<Behaviour> behaviours) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (Behaviour behaviour : behaviours) {
            long begin = System.nanoTime();
            TrialOutcome outcome = outcome(behaviour);
            if (isClosed()) {
                throw endedEarly();
            }
            if (!(outcome instanceof TrialOutcome.Passed || outcome instanceof TrialOutcome.Inapplicable)) {
                leaveStage();
            }
            Result result = new Result(behaviour, outcome, Duration.ofNanos(System.nanoTime() - begin));
            results.add(result);
            progress.ended(result);
        }
        return new Report(results, elapsed(), unreachable);
    }

    private static LockException endedEarly() {
        return new LockException(ErrorCode.INTERRUPTED, "The trial was ended early.", List.of(), null);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private TrialOutcome outcome(Behaviour behaviour) throws InterruptedException {
        if (unreachable) {
            return new TrialOutcome.Skipped("the store can't be reached any more");
        }
        if (isTimeOver()) {
            return noTimeLeft();
        }
        Stage used = stage();
        used.pulse().begin();
        Work<TrialOutcome> work = Work.start("trial", () -> behaviour.trial().run(used));
        while (!work.awaitEnd(TICK)) {
            progress.running(behaviour, used.pulse().progress());
            if (used.pulse().sinceLast().compareTo(pace.stuck()) > 0) {
                work.giveUp();
                return hung(behaviour, used);
            }
            if (isTimeOver()) {
                work.giveUp();
                return noTimeLeft();
            }
        }
        return judged(behaviour, work);
    }

    private boolean isTimeOver() {
        return elapsed().compareTo(pace.total()) >= 0;
    }

    /** Says nothing against the store: what was still making progress is as unproven as what was not begun. */
    private TrialOutcome noTimeLeft() {
        return new TrialOutcome.Skipped("no time was left: the whole trial may take " + Figures.of(pace.total()));
    }

    private Stage stage() throws InterruptedException {
        Stage current = current();
        if (current != null) {
            return current;
        }
        Stage made = new Stage(scratch, pace);
        if (!keeps(made)) {
            closeInTime(made);
            throw endedEarly();
        }
        return made;
    }

    private synchronized @Nullable Stage current() {
        return stage;
    }

    /** Not after the end: it would never be closed. */
    private synchronized boolean keeps(Stage made) {
        if (!closed) {
            stage = made;
        }
        return !closed;
    }

    private synchronized @Nullable Stage taken() {
        Stage left = stage;
        stage = null;
        return left;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void end() {
        closed = true;
    }

    private TrialOutcome hung(Behaviour behaviour, Stage used) {
        return new TrialOutcome.Failed(
                behaviour.expected(),
                "it did not come to an end; nothing happened for the last "
                        + Figures.of(used.pulse().sinceLast()),
                "The server answers too slowly, or no longer; or it lets requests wait for longer than they may.");
    }

    private TrialOutcome judged(Behaviour behaviour, Work<TrialOutcome> work) throws InterruptedException {
        try {
            return work.result(TICK);
        } catch (Mismatch e) {
            return e.instead(behaviour.expected());
        } catch (LockException e) {
            unreachable = e.code() == ErrorCode.STORE_UNAVAILABLE;
            return new TrialOutcome.Failed(behaviour.expected(), String.valueOf(e.getMessage()), meaning(e.code()));
        } catch (InterruptedException e) {
            throw e;
        } catch (TimeoutException e) {
            return new TrialOutcome.Failed(
                    behaviour.expected(),
                    "a request did not come to an end within " + Figures.of(pace.patience()),
                    "The store, or the server, lets requests wait for longer than they may.");
        } catch (Exception e) {
            return new TrialOutcome.Failed(
                    behaviour.expected(),
                    e.toString(),
                    "A mistake of this program, or of the store's: please report it.");
        }
    }

    private static String meaning(ErrorCode code) {
        return switch (code) {
            case STORE_UNAVAILABLE -> "The server went away, or refuses connections. What is left was not tried.";
            case LEASE_LOST ->
                "A lease was lost while it was held: the store forgot it, renewals don't get through in time, or this machine stood"
                        + " still.";
            case TIMEOUT -> "A lock was not acquired in time, though no holder should have kept it for that long.";
            case DEADLOCK -> "Requests waited for each other, where they should not be able to.";
            default -> "The store answered with an error.";
        };
    }

    /** The parties may still hold or wait for something: the next behaviour gets others. */
    private void leaveStage() throws InterruptedException {
        Stage left = taken();
        if (left != null) {
            closeInTime(left);
        }
    }

    private static void closeInTime(Stage stage) throws InterruptedException {
        Work.start("closing", () -> {
                    stage.close();
                    return stage;
                })
                .awaitEnd(CLOSING);
    }

    /** Ends the trial, also in the middle, and closes its parties. */
    @Override
    public void close() {
        end();
        try {
            leaveStage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
