package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A leader, or the holder of a permit, in another process that is killed or stands still. */
@UsesServer(ServerKind.REDIS)
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class LeaderInAnotherProcessTest {
    private final Realm realm = Realm.on(TestServers.redis(), Duration.ofSeconds(30), Duration.ofSeconds(5))
            .create();

    @Test
    void anotherCandidateFollowsAKilledLeader() throws Exception {
        try (ChildJvm child = realm.child();
                Locks locks = realm.locks()) {
            long token = Long.parseLong(child.ask("lead u1"));
            try (Leadership next = locks.leadership(Tenancy.user("u1")).start()) {
                assertThat(next.leader())
                        .hasValueSatisfying(leader -> assertThat(leader.owner()).isEqualTo("child"));
                child.kill();
                await().until(next::isLeader);
                assertThat(next.term().orElseThrow().token().value()).isGreaterThan(token);
            }
        }
    }

    @Test
    void aLeaderThatStoodStillKnowsThatAnotherOneLeads() throws Exception {
        try (ChildJvm child = realm.child();
                Locks locks = realm.locks()) {
            child.ask("lead u1");
            try (Leadership next = locks.leadership(Tenancy.user("u1")).start()) {
                child.stop();
                await().until(next::isLeader);
                child.goOn();
                assertThat(child.ask("leading")).isEqualTo("false");
                assertThat(next.isLeader()).isTrue();
            }
            child.kill();
        }
    }

    @Test
    void thePermitOfAKilledHolderComesBack() throws Exception {
        try (ChildJvm child = realm.child();
                Locks locks = realm.locks()) {
            assertThat(child.ask("permit u1 1")).isEqualTo("held");
            Permits permits = locks.permits(Tenancy.user("u1"), 1);
            assertThat(permits.tryAcquire()).isInstanceOf(Busy.class);
            child.kill();
            permits.acquire().close();
        }
    }

    @Test
    void theMinimumTimeOfATaskOutlastsItsProcess() throws Exception {
        try (ChildJvm child = realm.child();
                Locks locks = realm.locks()) {
            assertThat(child.ask("once u1 PT30S")).isEqualTo("true");
            child.kill();
            assertThat(locks.once(Tenancy.user("u1"), Duration.ofSeconds(1), lease -> {}))
                    .isFalse();
        }
    }

    @Test
    void aMinimumTimeBeyondTheLongestTermIsRefused() {
        try (Locks locks = realm.locks()) {
            AtomicBoolean ran = new AtomicBoolean();
            assertThatThrownBy(() -> locks.once(Tenancy.user("u1"), Duration.ofSeconds(31), lease -> ran.set(true)))
                    .isInstanceOf(InvalidRequestException.class);
            assertThat(ran).isFalse();
            assertThat(locks.snapshot().isEmpty()).isTrue();
        }
    }
}
