package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.leadership.Leaderships;
import dev.lockstep.testkit.Tenancy;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
@SuppressWarnings("try") // the lease of the leader is only there to be held
class LeadershipEndpointTest {
    @Test
    void aLeadershipIsShownWithTheErrorWhileTheStoreIsAway() {
        AwayStore away = new AwayStore(LockClock.system());
        try (Locks locks = Locks.on(away.store());
                Lease leader = locks.acquireAsync(exclusive(Tenancy.user("u1"))).join()) {
            Leaderships leaderships = new Leaderships(
                    locks, Kinds.of(Tenancy.values()), "node-1", Map.of("importer", "user:u1"), event -> {});
            leaderships.start();
            LeadershipEndpoint endpoint = new LeadershipEndpoint(leaderships);
            assertThat(view(endpoint).leader()).isNotNull();
            assertThat(view(endpoint).error()).isNull();

            away.leave();

            assertThat(view(endpoint).candidate()).isEqualTo("node-1");
            assertThat(view(endpoint).leader()).isNull();
            assertThat(view(endpoint).error()).contains("It is away on purpose");
            leaderships.stop();
        }
    }

    private static LeadershipEndpoint.View view(LeadershipEndpoint endpoint) {
        return Objects.requireNonNull(endpoint.one("importer"));
    }
}
