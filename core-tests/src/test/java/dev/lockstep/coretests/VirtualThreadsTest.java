package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class VirtualThreadsTest {
    private static final int THREADS = 10_000;
    private static final int KEYS = 8;
    private static final Duration LONG = Duration.ofMinutes(10);

    /** By reflection, because the code is compiled for Java 17. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        Assumptions.assumeTrue(
                Runtime.version().feature() >= 21,
                () -> "Virtual threads need JDK 21, and this is "
                        + Runtime.version().feature());
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @Test
    void tenThousandVirtualThreadsContendForAFewKeys() throws Exception {
        ExecutorService threads = virtualThreads();
        MemoryStore store = MemoryStore.create();
        int[] counts = new int[KEYS];
        try (Locks locks =
                Locks.builder(store).defaultWait(LONG).defaultTerm(LONG).build()) {
            Lease gate = locks.acquire(exclusive(
                    IntStream.range(0, KEYS).mapToObj(VirtualThreadsTest::key).toList()));
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int slot = i % KEYS;
                done.add(threads.submit(() -> locks.run(exclusive(key(slot)), lease -> counts[slot]++)));
            }
            gate.close();
            for (Future<?> each : done) {
                each.get(240, TimeUnit.SECONDS);
            }
            assertThat(store.snapshot().isEmpty()).isTrue();
        } finally {
            threads.shutdownNow();
        }
        assertThat(counts).containsOnly(THREADS / KEYS);
    }

    private static LockKey key(int slot) {
        return Tenancy.resource("u1", "a1", "r" + slot);
    }
}
