package dev.lockstep.benchmarks.memory;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.benchmarks.measure.BenchmarkKinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.concurrent.LockView;
import dev.lockstep.core.concurrent.LockViews;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** What a view as {@code java.util.concurrent.locks.Lock} costs beside {@code run}: the same keys, in memory, on one thread, in turns. */
public final class ViewsRun {
    private static final int KEYS = 1_000;
    private static final int WARM_UP = 4;
    private static final int ROUNDS = 15;
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private long work;

    private ViewsRun() {}

    public static void run() {
        try (Locks locks = Locks.inMemory()) {
            new ViewsRun().compare(locks);
        }
    }

    private void compare(Locks locks) {
        List<LockKey> keys = IntStream.range(0, KEYS)
                .mapToObj(i -> BenchmarkKinds.USER.key("u" + i))
                .toList();
        LockViews views = LockViews.on(locks);
        List<LockView> all = keys.stream().map(views::lock).toList();
        List<Double> runs = new ArrayList<>();
        List<Double> locked = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            double run = nanos(i -> locks.run(exclusive(keys.get(i)), lease -> work++));
            double view = nanos(i -> lockAndUnlock(all.get(i)));
            if (round >= WARM_UP) {
                runs.add(run);
                locked.add(view);
                ratios.add(view / run);
            }
        }
        System.out.printf(
                "run %.0f ns, Lock view %.0f ns: the view takes %.2f times as long (medians of %d rounds, %d keys, one thread)%n",
                median(runs), median(locked), median(ratios), ROUNDS, KEYS);
    }

    private void lockAndUnlock(LockView view) {
        view.lock();
        try {
            work++;
        } finally {
            view.unlock();
        }
    }

    /** Nanoseconds for one of them. */
    private static double nanos(IntConsumer locking) {
        long start = System.nanoTime();
        long end = start + ROUND_NANOS;
        long done = 0;
        long now = start;
        while (now - end < 0) {
            for (int i = 0; i < KEYS; i++) {
                locking.accept(i);
            }
            done += KEYS;
            now = System.nanoTime();
        }
        return (double) (now - start) / done;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
