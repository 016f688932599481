package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.server.AwayStore;
import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import dev.lockstep.spring.LeaseConnections;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** Connections limit the leases of a pair while its database is in use, and not while Redis is. */
@Tag("once")
class LeaseLimitOfAPairTest {
    private static final long LEASE = 5_000;

    /** Stores in memory with the names of real ones. */
    static class RedisAndPostgres {
        @Bean
        FakeClock pairClock() {
            return new FakeClock();
        }

        @Bean
        AwayStore primary(FakeClock clock) {
            return new AwayStore("redis", clock);
        }

        @Bean
        AwayStore secondary(FakeClock clock) {
            return new AwayStore("postgresql", clock);
        }

        @Bean
        LeaseConnections connections() {
            return store -> store.equals("postgresql") ? OptionalInt.of(2) : OptionalInt.empty();
        }

        @Bean
        FallbackStore pair(AwayStore primary, AwayStore secondary) {
            return FallbackStore.of(primary.store(), secondary.store())
                    .epochTerm(Duration.ofSeconds(1))
                    .longestTerm(Duration.ofMillis(LEASE))
                    .unavailableAfter(Duration.ofMillis(500))
                    .returnAfter(Duration.ofSeconds(1));
        }
    }

    @Test
    void theStoreInUseDecides() throws Exception {
        try (RunningServer server = RunningServer.with(
                RedisAndPostgres.class,
                Map.of(
                        "lockstep.term",
                        "5s",
                        "lockstep.kinds.limit.rank",
                        0,
                        "lockstep.server.limits.longest-lease",
                        "5s"))) {
            Client client = Client.of(server);
            server.passTimeUntil(state -> state.grants().isGranting());
            assertThat(most(client)).isEqualTo(100_000);
            List<String> leases = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Answer held = client.take("limit:" + i, 0, LEASE);
                assertThat(held.status()).as(held.raw().body()).isEqualTo(201);
                leases.add(held.leaseId());
            }
            for (String each : leases) {
                assertThat(client.release(each).status()).isEqualTo(204);
            }
            server.bean("primary", AwayStore.class).leave();
            server.passTimeUntil(state -> state.onSecondary() && state.grants() == Grants.QUIET);
            assertPaused(client);
            server.passTimeUntil(state -> state.onSecondary() && state.grants().isGranting());
            assertThat(most(client)).isEqualTo(2);
            for (int i = 0; i < 2; i++) {
                Answer held = client.take("limit:" + i, 0, LEASE);
                assertThat(held.status()).as(held.raw().body()).isEqualTo(201);
            }
            assertThat(client.get("/api/status").text("grantsFrom")).isEmpty();
            Answer third = client.take("limit:2", 0, LEASE);
            assertThat(third.code()).isEqualTo("too-many-leases");
            assertThat(third.text("detail")).contains("lockstep.connections");
        }
    }

    /** A client learns when locks are granted again, and so does everyone who asks for the status. */
    private static void assertPaused(Client client) throws Exception {
        Instant before = Instant.now();
        Answer refused = client.take("limit:0", 0, LEASE);
        assertThat(refused.code()).isEqualTo("store-unavailable");
        assertThat(refused.raw().headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(2L, 7L);
        Instant from = Instant.parse(refused.text("grantsFrom"));
        assertThat(from).isAfter(before.plusSeconds(1));
        assertThat(client.get("/api/status").text("grantsFrom")).isNotEmpty();
    }

    private static int most(Client client) throws Exception {
        return client.get("/api/status").body().path("mostLeases").asInt();
    }
}
