package dev.lockstep.benchmarks.memory;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.benchmarks.measure.BenchmarkKinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Eight threads that all want one exclusive lock, which both sides hand over in the order of asking. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(8)
public class ContendedBenchmark {
    private final Locks locks = Locks.inMemory();
    private final LockRequest request = exclusive(BenchmarkKinds.USER.key("u1")).within(Duration.ofMinutes(1));
    private final ReentrantLock fair = new ReentrantLock(true);
    private long shared;

    /** Ends the lease threads. */
    @TearDown
    public void close() {
        locks.close();
    }

    /** Lockstep, with everything on. */
    @Benchmark
    public long lockstep() {
        Lease lease = locks.acquire(request);
        try {
            return ++shared;
        } finally {
            lease.close();
        }
    }

    /** The JDK's fair lock. */
    @Benchmark
    public long fairLock() {
        fair.lock();
        try {
            return ++shared;
        } finally {
            fair.unlock();
        }
    }
}
