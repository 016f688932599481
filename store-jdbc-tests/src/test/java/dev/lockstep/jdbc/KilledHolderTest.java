package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another process is killed while it holds a lock, or waits for one. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class KilledHolderTest {
    /** Far longer than any test here takes: what ends a lease is not its term. */
    private static final Duration TERM = Duration.ofMinutes(10);

    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(Duration.ofMinutes(3));

    @ParameterizedTest
    @EnumSource
    void theNextWaiterHasTheLockOfAKilledHolderAtOnce(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                ChildJvm holder = Child.on(database, TERM);
                Locks locks = database.patientLocks()) {
            assertThat(holder.ask("hold u1")).isEqualTo("held");
            CompletableFuture<Lease> waiter = locks.acquireAsync(USER);
            await().until(() -> database.waits() == 1);
            holder.kill();
            Lease lease = waiter.get(4, TimeUnit.MINUTES);
            lease.ensureHeld();
            lease.close();
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKilledWaiterLeavesItsPlaceToOthers(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                ChildJvm waiter = Child.on(database, TERM);
                Locks locks = database.patientLocks()) {
            Lease lease = locks.acquire(USER);
            List<Long> before = database.sessions();
            waiter.tell("hold u1");
            await("a process that starts first").atMost(Duration.ofMinutes(3)).until(() -> database.waits() == 1);
            waiter.kill();
            lease.close();
            locks.acquire(USER).close();
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
            await("no connection of the waiter is left")
                    .untilAsserted(() -> assertThat(database.sessions()).isSubsetOf(before));
        }
    }
}
