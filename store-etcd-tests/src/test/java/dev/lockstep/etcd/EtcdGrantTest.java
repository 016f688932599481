package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.etcd.NamespaceMemory.TokenGeneration;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One party ends the lease of etcd of a grant, whatever renewals and releases meet. */
class EtcdGrantTest {
    private static final Duration TERM = Duration.ofSeconds(10);

    private final FakeClock clock = new FakeClock();
    private final EtcdLease lease = lease(1);
    private final EtcdLease longer = lease(2);
    private final EtcdGrant grant = grant();

    private EtcdLease lease(long id) {
        return new EtcdLease(id, 11, 11, EtcdLease.Start.now(clock));
    }

    private EtcdGrant grant() {
        EntryPlan plan = new EntryPlan(
                new EtcdNamespace("orders"), LockPlan.of(exclusive(Tenancy.user("u1"))), UUID.randomUUID());
        TokenGeneration generation = new TokenGeneration("g", 0, 1);
        return new EtcdGrant(UUID.randomUUID(), plan, 5, generation, 5, lease, EtcdLease.Start.now(clock), TERM);
    }

    @Test
    @DisplayName("once a release has begun that keeps the lease of etcd, no move begins and no renewal revokes it")
    void nothingAfterRelease() {
        EtcdGrant.Release release = grant.beginRelease(clock, true);
        assertThat(release.deletes()).isTrue();
        assertThat(grant.beginMove(longer)).isFalse();
        assertThat(grant.beginEnd()).isEmpty();
        assertThat(grant.giveBack()).isTrue();
        assertThat(grant.beginEnd()).isEmpty();
        assertThat(grant.giveBack()).as("given back a second time").isFalse();
    }

    @Test
    @DisplayName("a release during a move revokes both leases, and the move ends neither")
    void releaseDuringMove() {
        assertThat(grant.beginMove(longer)).isTrue();
        EtcdGrant.Release release = grant.beginRelease(clock, true);
        assertThat(release.deletes()).isFalse();
        assertThat(release.leases()).containsExactly(lease, longer);
        assertThat(grant.moved()).isEmpty();
        assertThat(grant.beginEnd()).isEmpty();
    }

    @Test
    @DisplayName("a release after a move has to do with the longer lease alone")
    void releaseAfterMove() {
        grant.beginMove(longer);
        assertThat(grant.moved()).contains(lease);
        longer.taint();
        EtcdGrant.Release release = grant.beginRelease(clock, true);
        assertThat(release.deletes()).isFalse();
        assertThat(release.leases()).containsExactly(longer);
    }

    @Test
    @DisplayName("a release after a renewal has ended the grant does not keep the lease of etcd")
    void releaseAfterEnd() {
        assertThat(grant.beginEnd()).containsExactly(lease);
        assertThat(grant.beginRelease(clock, true).deletes()).isFalse();
        assertThat(grant.giveBack()).isFalse();
    }

    @Test
    @DisplayName("a repeated release revokes what an unanswered one may have left, and nothing once it was given back")
    void repeatedRelease() {
        grant.beginRelease(clock, true);
        EtcdGrant.Release again = grant.beginRelease(clock, true);
        assertThat(again.again()).isTrue();
        assertThat(again.leases()).containsExactly(lease);
        assertThat(grant.giveBack()).as("while it is being revoked").isFalse();

        EtcdGrant other = grant();
        other.beginRelease(clock, true);
        other.giveBack();
        assertThat(other.beginRelease(clock, true).leases()).isEmpty();
        assertThat(other.releasedInTime()).isTrue();
    }

    @Test
    @DisplayName("a release that comes after the term does not count as one in time")
    void late() {
        clock.advance(TERM);
        grant.beginRelease(clock, true);
        assertThat(grant.releasedInTime()).isFalse();
    }
}
