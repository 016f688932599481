package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A trial from the making of its place to the removal, which happens too when the process is ended in the middle. */
public final class TrialRun implements AutoCloseable {
    private static final Duration REMOVAL = Duration.ofSeconds(20);

    private final StoreAddress address;
    private final Pace pace;
    private final Progress progress;
    private final Work<Scratch> creation;
    private final Thread hook = new Thread(this::endEarly, "verify-end");
    private final ReentrantLock closing = new ReentrantLock();
    private volatile @Nullable Verification verification;
    private boolean closed;

    private TrialRun(StoreAddress address, Pace pace, Progress progress) {
        this.address = address;
        this.pace = pace;
        this.progress = progress;
        creation = Work.start("scratch", () -> address.scratch(TrialKind.values()));
    }

    /** Tries these behaviours on a store, and leaves nothing behind there. */
    public static Report of(StoreAddress address, List<Behaviour> behaviours, Pace pace, Progress progress)
            throws Exception {
        TrialRun run = new TrialRun(address, pace, progress);
        Runtime.getRuntime().addShutdownHook(run.hook);
        try (run) {
            return run.run(behaviours);
        } finally {
            run.forgetHook();
        }
    }

    private Report run(List<Behaviour> behaviours) throws Exception {
        Scratch scratch = scratch();
        progress.opened(scratch.where());
        Verification trial = new Verification(scratch, pace, progress);
        verification = trial;
        return trial.run(behaviours);
    }

    private Scratch scratch() throws Exception {
        try {
            return creation.result(pace.stuck());
        } catch (TimeoutException e) {
            throw new LockException(
                    ErrorCode.STORE_UNAVAILABLE,
                    address + " did not answer within " + Figures.of(pace.stuck())
                            + ". Look whether the server is overloaded, or something in the network swallows what is sent.",
                    List.of(),
                    e);
        }
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            hook.setName("verify-end"); // it is running already
        }
    }

    private void endEarly() {
        progress.remark("Ended early. What the trial made is removed.");
        close();
    }

    /** Closes the parties and removes the place. Whoever comes second waits until it is done. */
    @Override
    public void close() {
        closing.lock();
        try {
            if (!closed) {
                closed = true;
                remove();
            }
        } finally {
            closing.unlock();
        }
    }

    private void remove() {
        Verification trial = verification;
        if (trial != null) {
            trial.close();
        }
        Work<String> removal = Work.start("removal", () -> {
            try (Scratch made = creation.result(pace.stuck())) {
                return made.where();
            }
        });
        try {
            removal.result(REMOVAL);
        } catch (Exception e) {
            tellWhatStays(e);
        }
    }

    /** A place that was never made need not be removed, and why it wasn't made is told elsewhere. */
    private void tellWhatStays(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        if (verification != null) {
            progress.remark("The place of the trial could not be removed: "
                    + (e instanceof TimeoutException ? "the server doesn't answer." : e.getMessage())
                    + " It is safe to remove it by hand.");
        }
    }
}
