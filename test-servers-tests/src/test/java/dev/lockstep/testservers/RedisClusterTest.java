package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Tag("once")
@Timeout(300)
class RedisClusterTest {
    /** The slot of the key {@code k}. */
    private static final int SLOT = 7629;

    /** Longer than a machine stands still, so that only what is stopped is replaced. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(12);

    @Test
    void itSurvivesAMasterAndMovesSlots() throws IOException {
        try (RedisCluster cluster = TestServers.startRedisCluster(NODE_TIMEOUT)) {
            PrivateServer master = cluster.masterOf(SLOT);
            setAndAwaitCopy(master, "k", "1");

            master.kill();
            PrivateServer promoted = cluster.awaitPromotion(SLOT, master);
            cluster.awaitOk();
            assertThat(cluster.nodes().indexOf(promoted))
                    .isEqualTo(cluster.nodes().indexOf(master) + 3);
            assertThat(RedisConnection.ask(promoted, "GET", "k")).isEqualTo("1");

            PrivateServer other = cluster.masterOf(0);
            cluster.moveSlot(SLOT, other);
            assertThat(RedisConnection.ask(other, "GET", "k")).isEqualTo("1");
            assertThatThrownBy(() -> RedisConnection.ask(promoted, "GET", "k")).hasMessageStartingWith("MOVED 7629");
        }
    }

    /** WAIT counts the copies of what its own connection wrote, so both commands go through one. */
    private static void setAndAwaitCopy(PrivateServer master, String key, String value) throws IOException {
        try (RedisConnection connection = new RedisConnection(master)) {
            assertThat(connection.ask(List.of("SET", key, value))).isEqualTo("OK");
            assertThat(connection.ask(List.of("WAIT", "1", "15000"))).isEqualTo(1L);
        }
    }

    @Test
    void aPausedMasterIsReplacedAndComesBackAsAReplica() throws IOException {
        try (RedisCluster cluster = TestServers.startRedisCluster(NODE_TIMEOUT)) {
            PrivateServer master = cluster.masterOf(SLOT);
            master.pause();
            PrivateServer promoted = cluster.awaitPromotion(SLOT, master);
            master.resume();
            assertThat(cluster.awaitPromotion(SLOT, master)).isSameAs(promoted);
            cluster.awaitOk();
            assertThatThrownBy(() -> RedisConnection.ask(master, "GET", "k")).hasMessageStartingWith("MOVED 7629");
        }
    }
}
