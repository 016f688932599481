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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Databases serve processes in any order; requests of one process are served in the order in which they were made. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class OrderInOneProcessTest {
    private static final int WAITERS = 12;
    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(Duration.ofMinutes(4));

    @ParameterizedTest
    @EnumSource
    void firstComeFirstServed(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                Locks locks = database.patientLocks()) {
            List<Integer> served = new CopyOnWriteArrayList<>();
            List<CompletableFuture<Void>> waiters = new ArrayList<>();
            try (Lease held = locks.acquire(USER)) {
                assertThat(held.isHeld()).isTrue();
                for (int i = 0; i < WAITERS; i++) {
                    int number = i;
                    waiters.add(locks.acquireAsync(USER).thenAccept(lease -> {
                        served.add(number);
                        lease.close();
                    }));
                    await().until(() -> locks.figures().waiting() > number);
                    await().until(() -> locks.snapshot().waiters().size() > number);
                }
            }
            for (CompletableFuture<Void> waiter : waiters) {
                waiter.get(4, TimeUnit.MINUTES);
            }
            assertThat(served).isEqualTo(IntStream.range(0, WAITERS).boxed().toList());
        }
    }
}
