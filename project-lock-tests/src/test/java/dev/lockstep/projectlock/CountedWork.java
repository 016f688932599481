package dev.lockstep.projectlock;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Work that loses counts unless one at a time does it: reads a number from a file, pauses, and writes the next one. The
 * exclusion checker beside it looks at the times and tokens.
 */
final class CountedWork implements AutoCloseable {
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /** Patient, and with short pauses, so that there is always someone who wants the project. */
    private static final AcquireOptions CROWDED = AcquireOptions.defaults()
            .within(Duration.ofMinutes(2))
            .retrying(RetryPolicy.exponential(Duration.ofMillis(2), 1.5, Duration.ofMillis(20)));

    private final Path counter;
    private final ExclusionChecker checker;

    private CountedWork(Path directory) {
        this.counter = directory.resolve("count.txt");
        this.checker = ExclusionChecker.in(directory);
    }

    /** Work that keeps its files in a directory other than the project's. */
    static CountedWork in(Path directory) {
        return new CountedWork(directory);
    }

    void repeat(ProjectLock lock, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            ProjectLease lease = lock.acquire(CROWDED).lease();
            count(lease);
            lock.release(lease);
        }
    }

    private void count(ProjectLease lease) throws IOException {
        long before = counted();
        checker.exclusive(
                Tenancy.user("project"), lease.token(), lease.leaseId().toString());
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
        Files.writeString(counter, Long.toString(before + 1));
    }

    /** How much was counted, by all. */
    long counted() throws IOException {
        return Files.exists(counter) ? Long.parseLong(Files.readString(counter)) : 0;
    }

    /** Fails when sections overlapped or tokens were out of order; the others must have closed theirs. */
    void verify() {
        checker.verify();
    }

    @Override
    public void close() {
        checker.close();
    }
}
