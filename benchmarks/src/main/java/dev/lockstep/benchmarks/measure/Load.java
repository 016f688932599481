package dev.lockstep.benchmarks.measure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Eight threads that lock and free as fast as they can, for one turn. */
public final class Load {
    public static final int THREADS = 8;

    /** How a turn went: locks per second, and how many were refused while it was measured. */
    public record Turn(double perSecond, long refused) {}

    private final Contender contender;
    private final CountDownLatch over = new CountDownLatch(1);
    private final LongAdder done = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Load(Contender contender) {
        this.contender = contender;
    }

    /** A fifth of the time to warm up, then all of it to count. */
    public static Turn turn(Contender contender, Duration time) throws InterruptedException {
        return new Load(contender).run(time.dividedBy(5), time);
    }

    private Turn run(Duration warmUp, Duration time) throws InterruptedException {
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(index -> new Thread(this::lockUntilOver, "load-" + index))
                .toList();
        threads.forEach(Thread::start);
        try {
            pass(warmUp);
            return count(time);
        } finally {
            over.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private Turn count(Duration time) throws InterruptedException {
        long start = System.nanoTime();
        long doneBefore = done.sum();
        long refusedBefore = refused.sum();
        pass(time);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Turn((done.sum() - doneBefore) / seconds, refused.sum() - refusedBefore);
    }

    private void pass(Duration time) throws InterruptedException {
        if (over.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException(contender.name() + " failed: " + failure.get(), failure.get());
        }
    }

    private void lockUntilOver() {
        try {
            while (over.getCount() > 0) {
                (contender.lockAndRelease() ? done : refused).increment();
            }
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
            over.countDown();
        }
    }
}
