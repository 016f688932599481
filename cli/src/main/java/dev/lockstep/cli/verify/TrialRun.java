package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A trial from the making of its place to the removal, which happens too when the process is ended in the middle. */
public final class TrialRun implements AutoCloseable {
    private static final Duration REMOVAL = Duration.ofSeconds(60);

    private final StoreAddress address;
    private final Pace pace;
    private final Progress progress;
    private final long start = System.nanoTime();
    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final Work<Scratch> creation;
    private final Thread hook = new Thread(this::endEarly, "verify-end");
    private final ReentrantLock closing = new ReentrantLock();
    private volatile @Nullable Verification verification;
    private boolean closed;

    private TrialRun(StoreAddress address, Pace pace, Progress progress) {
        this.address = address;
        this.pace = pace;
        this.progress = progress;
        creation = Work.start("scratch", () -> address.scratch(id, TrialKind.values()));
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
        Verification trial = new Verification(scratch, pace, progress, start);
        verification = trial;
        return trial.run(behaviours);
    }

    private Scratch scratch() throws Exception {
        try {
            return creation.result(pace.making());
        } catch (TimeoutException e) {
            throw new LockException(
                    ErrorCode.STORE_UNAVAILABLE,
                    address + " did not answer within " + Figures.of(pace.making())
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

    /** Closes the parties and removes the place. A second caller waits until it is done. */
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
            try (Scratch made = creation.result(REMOVAL.compareTo(pace.making()) < 0 ? REMOVAL : pace.making())) {
                return made.where();
            }
        });
        try {
            removal.result(REMOVAL);
        } catch (Exception e) {
            tellWhatStays(e);
        }
    }

    private void tellWhatMayCome(Exception e) {
        if (e instanceof TimeoutException) {
            progress.remark("The server may still make the place of the trial, whose name ends with " + id
                    + ". It is safe to remove it by hand.");
        }
    }

    /** A place that was never made need not be removed, and why it wasn't made is reported elsewhere. */
    private void tellWhatStays(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        if (verification == null) {
            tellWhatMayCome(e);
        } else {
            progress.remark("The place of the trial could not be removed: "
                    + (e instanceof TimeoutException ? "the server doesn't answer." : e.getMessage())
                    + " It is safe to remove it by hand.");
        }
    }
}
