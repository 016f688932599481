package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another process stands still for longer than the term of its lease. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class StoppedHolderTest {
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    @ParameterizedTest
    @EnumSource
    void theServerEndsTheLeaseOfAStoppedHolderWhichLearnsItAndDisturbsNoOtherHolder(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                ChildJvm stopped = Child.on(database, TERM);
                Locks locks = database.patientLocks();
                Locks third = database.patientLocks()) {
            assertThat(stopped.ask("hold u1")).isEqualTo("held");
            assertThat(locks.tryAcquire(USER)).isInstanceOf(Busy.class);
            stopped.stop();
            Lease next = locks.acquireAsync(USER.within(Duration.ofMinutes(3))).get(4, TimeUnit.MINUTES);
            stopped.goOn();
            assertThat(stopped.ask("loss")).isIn("EXPIRED", "UNCONFIRMED", "REFUSED");
            assertThat(stopped.ask("release")).isEqualTo("LOST");

            next.renew();
            next.ensureHeld();
            assertThat(third.tryAcquire(USER)).isInstanceOf(Busy.class);
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(stopped.ask("close")).isEqualTo("closed");
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
        }
    }
}
