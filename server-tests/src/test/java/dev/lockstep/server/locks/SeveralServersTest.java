package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import dev.lockstep.server.locks.restart.GrantGate;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.UsesServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two servers on one store: a lease that one keeps is renewed and released through the other. */
@Tag("slow")
@Tag("once")
class SeveralServersTest {
    private static final long LONG = 120_000;

    @Nested
    @UsesServer(ServerKind.REDIS)
    class OnRedis {
        @Test
        void leasesAreShared(TestServer redis) throws Exception {
            String namespace = "servers-" + UUID.randomUUID();
            try (RedisLockStore first = RedisLockStore.at(redis.url())
                    .namespace(namespace)
                    .longestTerm(Duration.ofMillis(LONG))
                    .answerWithin(Duration.ofMinutes(1))
                    .createNamespace()) {
                Map<String, String> store = Map.of(
                        "lockstep.store",
                        "redis",
                        "lockstep.redis.url",
                        redis.url(),
                        "lockstep.redis.longest-term",
                        LONG + "ms",
                        "lockstep.redis.answer-within",
                        "1m",
                        "lockstep.namespace",
                        namespace);
                shareLeases(store);
                leasesOutliveTheirServer(store, first);
                namesAreTakenOnce(store);
                first.removeNamespace();
            }
        }

        @Test
        void serversWithoutNamesAreNotMistakenForEachOther(TestServer redis) throws Exception {
            String namespace = "servers-" + UUID.randomUUID();
            Map<String, String> store = Map.of(
                    "lockstep.store",
                    "redis",
                    "lockstep.redis.url",
                    redis.url(),
                    "lockstep.redis.longest-term",
                    LONG + "ms",
                    "lockstep.redis.answer-within",
                    "1m",
                    "lockstep.namespace",
                    namespace);
            try (RedisLockStore first = RedisLockStore.at(redis.url())
                            .namespace(namespace)
                            .longestTerm(Duration.ofMillis(LONG))
                            .createNamespace();
                    RunningServer one = RunningServer.with(store);
                    RunningServer two = RunningServer.with(store)) {
                Client here = Client.of(one);
                Client there = Client.of(two);
                Answer lease = here.take("unmet:1/part:1", 0, 30_000);
                assertThat(lease.status()).as(lease.raw().body()).isEqualTo(201);
                Answer found = there.get("/api/locks?key=unmet:1"); // of a kind that it has not met
                assertThat(found.body().path("holdersFound").asInt()).isEqualTo(2);
                assertThat(there.release(lease.leaseId()).code()).isEqualTo("unknown-node");
                assertThat(here.release(lease.leaseId()).status()).isEqualTo(204);
                first.removeNamespace();
            }
        }

        private void namesAreTakenOnce(Map<String, String> store) throws Exception {
            try (RunningServer one = start(store, "a", Map.of())) {
                assertThatThrownBy(() -> start(store, "a", Map.of()))
                        .hasStackTraceContaining("Another server on this store has the name 'a'")
                        .hasStackTraceContaining("lockstep.server.node");
                Answer lease = Client.of(one).take("shared:9", 0, LONG);
                assertThat(lease.status()).isEqualTo(201);
                assertThat(holders(Client.of(one))).as("names are no locks").isEqualTo(2);
                assertThat(Client.of(one).take("lockstep-server:c", 0, LONG).code())
                        .isEqualTo("invalid-request");
                assertThat(readiness(one)).isEqualTo(200);
                one.bean(GrantGate.class).name(GrantGate.Name.MISSING);
                assertThat(readiness(one)).isEqualTo(503);
            }
            start(store, "a", Map.of()).close(); // free after the stop
        }

        private static int readiness(RunningServer server) throws Exception {
            return Client.of(server).get("/actuator/health/readiness").status();
        }

        private void leasesOutliveTheirServer(Map<String, String> store, RedisLockStore seen) throws Exception {
            try (RunningServer stopping = start(store, "b", Map.of())) {
                Client.of(stopping).take("shared:1", 0, LONG);
            }
            assertThat(seen.snapshot().holders())
                    .singleElement()
                    .satisfies(held -> assertThat(held.expiresAt()).isPresent());
        }
    }

    @Nested
    @UsesServer(ServerKind.POSTGRES)
    class OnPostgres {
        @Test
        void leasesAreShared(TestServer postgres) throws Exception {
            try (TestDatabase database = postgres.freshDatabase()) {
                Map<String, String> store = new HashMap<>(on(database));
                store.put("lockstep.kinds.shared.rank", "0");
                store.put("lockstep.kinds.part.rank", "1");
                store.put("lockstep.kinds.part.parent", "shared");
                shareLeases(store);
            }
        }

        @Test
        void kindsMustBeDeclared(TestServer postgres) throws Exception {
            try (TestDatabase database = postgres.freshDatabase()) {
                assertThatThrownBy(() -> start(on(database), "a", Map.of()))
                        .hasStackTraceContaining("The locks are on postgresql")
                        .hasStackTraceContaining("lockstep.kinds.user.rank=0");
            }
        }

        private Map<String, String> on(TestDatabase database) {
            return Map.of(
                    "lockstep.store", "postgresql",
                    "spring.datasource.url", database.jdbcUrl(),
                    "spring.datasource.username", database.user(),
                    "spring.datasource.password", database.password());
        }
    }

    private static void shareLeases(Map<String, String> store) throws Exception {
        try (RunningServer two = start(store, "b", Map.of());
                RunningServer one = start(
                        store,
                        "a",
                        Map.of(
                                "lockstep.server.peers.b",
                                two.url().toString(),
                                "lockstep.server.peers.c",
                                "http://127.0.0.1:1"))) {
            Client here = Client.of(one);
            Client there = Client.of(two);
            Answer lease = there.take("shared:1/part:1", 0, LONG);
            assertThat(lease.leaseId()).as(lease.raw().body()).startsWith("b.");
            assertThat(here.take("shared:1", 0, LONG).code()).isEqualTo("lock-timeout");
            Answer own = here.take("shared:2/part:1", 0, LONG);
            assertThat(holders(here)).isEqualTo(holders(there)).isEqualTo(4);

            Answer renewed = here.renew(lease.leaseId(), LONG);
            assertThat(renewed.status()).isEqualTo(200);
            assertThat(renewed.leaseId()).isEqualTo(lease.leaseId());
            assertThat(here.release(lease.leaseId()).status()).isEqualTo(204);
            Answer gone = here.release(lease.leaseId());
            assertThat(gone.status()).isEqualTo(410);
            assertThat(gone.code()).isEqualTo("lease-expired");
            assertThat(there.release(own.leaseId()).code()).isEqualTo("unknown-node");
            assertThat(here.release(own.leaseId()).status()).isEqualTo(204);
            assertThat(holders(here)).isZero();
            Answer unreachable = here.release("c." + UUID.randomUUID());
            assertThat(unreachable.status()).isEqualTo(503);
            assertThat(unreachable.code()).isEqualTo("node-unreachable");
            assertThat(releaseForwarded(here, "c." + UUID.randomUUID()).code()).isEqualTo("unknown-node");
        }
    }

    /** Servers that take each other for a third one must not send a request to and fro. */
    private static Answer releaseForwarded(Client client, String leaseId) throws Exception {
        HttpRequest forwarded = HttpRequest.newBuilder(client.server().resolve("/api/locks/" + leaseId))
                .header("Lockstep-Forwarded-By", "b")
                .DELETE()
                .build();
        return Answer.of(client.http().send(forwarded, HttpResponse.BodyHandlers.ofString()));
    }

    private static int holders(Client client) throws Exception {
        return client.get("/api/locks").body().path("holdersFound").asInt();
    }

    @Test
    void namesAndAddressesAreCheckedAtTheStart() {
        assertThatThrownBy(() -> start(Map.of(), "Node 1", Map.of()))
                .hasStackTraceContaining("lockstep.server.node is");
        assertThatThrownBy(() -> RunningServer.with(Map.of("lockstep.server.peers.b", "http://127.0.0.1:1")))
                .hasStackTraceContaining("this one has no name");
        assertThatThrownBy(
                        () -> start(Map.of(), "a", Map.of("lockstep.server.peers.b", "http://user:secret@host:7070")))
                .hasStackTraceContaining("lockstep.server.peers.b is not the address")
                .satisfies(error -> assertThat(error.toString()).doesNotContain("secret"));
    }

    private static RunningServer start(Map<String, String> store, String node, Map<String, String> more) {
        Map<String, Object> all = new HashMap<>(store);
        all.putAll(more);
        all.put("lockstep.server.node", node);
        all.put("lockstep.server.limits.longest-lease", LONG + "ms");
        all.put("spring.webflux.problemdetails.enabled", true);
        return RunningServer.with(all);
    }
}
