package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A leader, or the holder of a permit, in another process that is killed or stands still. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class LeaderInAnotherProcessTest {
    @ParameterizedTest
    @EnumSource
    void anotherOneFollowsAKilledLeaderAndHolderOfAPermit(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                ChildJvm child = Child.on(database, Duration.ofMinutes(10));
                Locks locks = database.patientLocks()) {
            long token = Long.parseLong(child.ask("lead u1"));
            assertThat(child.ask("permit u2 1")).isEqualTo("held");
            Permits permits = locks.permits(Tenancy.user("u2"), 1);
            assertThat(permits.tryAcquire()).isInstanceOf(Busy.class);
            try (Leadership next = locks.leadership(Tenancy.user("u1")).start()) {
                assertThat(next.isLeader()).isFalse();
                child.kill();
                await().atMost(Duration.ofMinutes(3)).until(next::isLeader);
                assertThat(next.term().orElseThrow().token().value()).isGreaterThan(token);
            }
            permits.acquire(Duration.ofMinutes(3)).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaderThatStoodStillKnowsThatAnotherOneLeads(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                ChildJvm child = Child.on(database, Duration.ofSeconds(10));
                Locks locks = database.patientLocks()) {
            child.ask("lead u1");
            try (Leadership next = locks.leadership(Tenancy.user("u1")).start()) {
                child.stop();
                await().atMost(Duration.ofMinutes(3)).until(next::isLeader);
                child.goOn();
                assertThat(child.ask("leading")).isEqualTo("false");
                assertThat(next.isLeader()).isTrue();
            }
            child.kill();
        }
    }
}
