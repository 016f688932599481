package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many requests at one key. */
@Timeout(300)
class CrowdTest {
    private static final int CROWD = 2_000;
    private static final int REFUSED = 100_000;
    private static final int BYTES_EACH = 32; // less than anything kept of a request would take
    private static final LockKey ACCOUNT = Tenancy.account("u1", "a1");
    private static final LockKey RESOURCE = Tenancy.resource("u1", "a1", "r1");
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final MemoryStore store = MemoryStore.create();
    private final Locks locks = Locks.on(store);
    private final Lease blocker = locks.acquire(exclusive(RESOURCE).forTerm(LONG));

    @AfterEach
    void close() {
        locks.close();
    }

    // ---- those who wait

    /** Everyone in the crowd holds its account back from someone, so everyone might be in a cycle of waits. */
    @Test
    void shortWaitsEndBeforeLongOnesAndAllOfThoseAreServed() throws Exception {
        List<CompletableFuture<Void>> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(served(RESOURCE));
        }
        long start = System.nanoTime();
        CompletableFuture<Duration> inTheCrowd = timedOut(start);
        crowd.add(served(ACCOUNT));
        CompletableFuture<Duration> behindTheCrowd = timedOut(start);
        assertThat(inTheCrowd.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(SHORT);
        assertThat(behindTheCrowd.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(SHORT);
        assertThat(crowd).as("those with more time").noneMatch(CompletableFuture::isDone);
        blocker.close();
        CompletableFuture.allOf(crowd.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        await().until(() -> store.size() == 0);
    }

    private CompletableFuture<Void> served(LockKey key) {
        return locks.acquireAsync(exclusive(key).within(LONG)).thenAccept(Lease::close);
    }

    /** How long after the start a short wait ended; fails when it ended in another way. */
    private CompletableFuture<Duration> timedOut(long start) {
        return locks.acquireAsync(exclusive(RESOURCE).within(SHORT)).handle((lease, error) -> {
            assertThat(error).isInstanceOf(LockTimeoutException.class);
            return Duration.ofNanos(System.nanoTime() - start);
        });
    }

    // ---- those who don't

    /** Each asynchronous request is a holder of its own, and these locks hold nothing that would have them looked through. */
    @Test
    void refusedRequestsLeaveNothingBehind() {
        try (Locks refusing = Locks.builder(store).leaveStoreOpen().build()) {
            refuse(refusing, REFUSED / 5);
            long before = usedBytes();
            refuse(refusing, REFUSED);
            await().pollInterval(Duration.ofMillis(200))
                    .until(() -> usedBytes() - before, grown -> grown < (long) REFUSED * BYTES_EACH);
        }
        assertThat(store.snapshot().waiters()).isEmpty();
    }

    private static void refuse(Locks locks, int times) {
        int batch = 1_000;
        for (int done = 0; done < times; done += batch) {
            List<CompletableFuture<Lease>> refused = IntStream.range(0, batch)
                    .mapToObj(i -> locks.acquireAsync(exclusive(RESOURCE).withoutWaiting()))
                    .toList();
            refused.forEach(each -> assertThat(each.handle((lease, error) -> error)
                            .orTimeout(60, TimeUnit.SECONDS)
                            .join())
                    .isInstanceOf(LockTimeoutException.class));
        }
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
