package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads of one process wait for the same lock. */
@Tag("slow")
@Tag("once")
@Timeout(600)
class ManyWaitersTest {
    private static final int WAITERS = 200;

    /** One that holds, one that waits, and one to look at the server. */
    private static final int FEW = 3;

    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(Duration.ofMinutes(4));

    @ParameterizedTest
    @EnumSource
    void allAreServedOverAFewConnections(Server server) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WAITERS);
        try (LockDatabase database = LockDatabase.on(server);
                Locks elsewhere = database.patientLocks();
                Locks locks = database.patientLocks()) {
            Lease held = elsewhere.acquire(USER);
            int before = database.connections();
            CountDownLatch started = new CountDownLatch(WAITERS);
            List<Future<?>> waiters = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                waiters.add(threads.submit(() -> {
                    started.countDown();
                    locks.acquire(USER).close();
                }));
            }
            started.await();
            await().until(() -> locks.snapshot().waiters().size() >= WAITERS);
            await().until(() -> database.waits() > 0);
            assertThat(database.waits()).isEqualTo(1);
            assertThat(database.connections() - before).isLessThanOrEqualTo(FEW);
            held.close();
            for (Future<?> waiter : waiters) {
                waiter.get(4, TimeUnit.MINUTES);
            }
            assertThat(database.connections() - before).isLessThanOrEqualTo(FEW);
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
        } finally {
            threads.shutdownNow();
        }
    }
}
