package dev.lockstep.cli.verify;

import dev.lockstep.core.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;

/** Threads of all parties that do the same again and again, for the time that the {@link Pace} gives. */
final class Crowd {
    /** How often each does it at least: when the machine stands still, the time alone may have ended before two of them meet. */
    private static final int LEAST_ROUNDS = 10;

    private final Stage stage;

    Crowd(Stage stage) {
        this.stage = stage;
    }

    /** What each does again and again. */
    @FunctionalInterface
    interface Task {
        void once(Locks party, int thread, Random random) throws Exception;
    }

    /** Answers how often it was done in all; throws what any thread threw. */
    int work(Task task) throws Exception {
        CountDownLatch ready = new CountDownLatch(stage.pace().threads());
        List<Work<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < stage.pace().threads(); i++) {
            int thread = i;
            threads.add(Work.start("worker " + i, () -> repeat(task, thread, ready)));
        }
        try {
            int done = 0;
            for (Work<Integer> thread : threads) {
                done += thread.result(stage.pace().load().plus(stage.pace().stuck()));
                stage.pulse().beat();
            }
            return done;
        } catch (TimeoutException e) {
            throw Mismatch.of(
                    "not all of the " + this + " came to an end",
                    "A request waits longer than it may: the store, or the server, hangs.");
        } finally {
            threads.forEach(Work::giveUp);
        }
    }

    private int repeat(Task task, int thread, CountDownLatch ready) throws Exception {
        ready.countDown();
        ready.await();
        long end = System.nanoTime() + stage.pace().load().toNanos();
        Random random = new Random(thread);
        int done = 0;
        do {
            task.once(stage.party(thread), thread, random);
            done++;
            stage.pulse().beat();
        } while (done < LEAST_ROUNDS || System.nanoTime() - end < 0);
        return done;
    }

    @Override
    public String toString() {
        return stage.pace().threads() + " threads of 3 parties";
    }
}
