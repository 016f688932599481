package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("once")
@ExtendWith(OutputCaptureExtension.class)
class LocksApiTest {
    private static final long LONG = 60_000;

    private static RunningServer server;
    private static Client client;

    @BeforeAll
    static void start() {
        server = RunningServer.with(
                Map.of("spring.webflux.problemdetails.enabled", true, "lockstep.server.limits.longest-lease", "60s"));
        client = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void takesRenewsAndGivesBack() throws Exception {
        Answer lease = client.post(
                "/api/locks",
                "{\"keys\":[\"user:u1/account:a1\"],\"mode\":\"shared\",\"leaseMs\":50000,\"owner\":\"close-account\"}");
        assertThat(lease.status()).isEqualTo(201);
        assertThat(lease.raw().headers().firstValue("Location")).contains("/api/locks/" + lease.leaseId());
        assertThat(lease.leaseId()).startsWith(client.get("/api/status").text("node") + ".");
        assertThat(lease.body().path("keys").get(0).asString()).isEqualTo("user:u1/account:a1");
        assertThat(lease.text("mode")).isEqualTo("shared");
        assertThat(lease.text("owner")).isEqualTo("close-account");
        assertThat(lease.text("source")).isEqualTo("memory");
        assertThat(lease.text("token")).isNotEmpty();

        Answer renewed = client.renew(lease.leaseId(), LONG);
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(Instant.parse(renewed.text("expiresAt"))).isAfter(Instant.parse(lease.text("expiresAt")));

        assertThat(client.release(lease.leaseId()).status()).isEqualTo(204);
        assertThat(client.release(lease.leaseId()).code()).isEqualTo("lease-expired");
        assertThat(client.renew(lease.leaseId(), LONG).status()).isEqualTo(410);
    }

    @Test
    void saysWhoIsInTheWay() throws Exception {
        Answer held = client.take("busy:1", 0, LONG);
        Answer refused = client.take("busy:1/part:2", 0, LONG);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("lock-timeout");
        assertThat(refused.text("key")).isEqualTo("busy:1");
        assertThat(refused.text("mode")).isEqualTo("IX");
        assertThat(refused.body().path("retryable").asBoolean()).isTrue();
        assertThat(refused.body().path("blockers").get(0).path("owner").asString())
                .isEqualTo("127.0.0.1");
        client.release(held.leaseId());
    }

    @Test
    void aWaiterGetsTheLockWhenItIsReleased() throws Exception {
        Answer held = client.take("queue:1", 0, LONG);
        CompletableFuture<Answer> waiting = client.startTaking("queue:1", LONG, LONG);
        await().untilAsserted(() -> assertThat(waiters("queue:1")).isOne());
        Answer graph = client.get("/api/locks/graph");
        assertThat(graph.body().path("edges").get(0).path("to").asString()).isEqualTo(held.leaseName());
        assertThat(graph.body().path("waitersFound").asInt()).isOne();
        assertThat(graph.body().path("cycles").size()).isZero();
        client.release(held.leaseId());
        Answer lease = waiting.join();
        assertThat(lease.status()).isEqualTo(201);
        client.release(lease.leaseId());
    }

    private static int waiters(String key) throws Exception {
        return client.get("/api/locks?key=" + key).body().path("waitersFound").asInt();
    }

    @Test
    void showsHoldersBelowAKey() throws Exception {
        Answer held = client.take("shelf:1/box:2", 0, LONG);
        Answer seen = client.get("/api/locks?key=shelf:1");
        assertThat(seen.body().path("holdersFound").asInt()).isEqualTo(2);
        assertThat(seen.body()
                        .path("holders")
                        .valueStream()
                        .map(each -> each.path("key").asString()))
                .containsExactlyInAnyOrder("shelf:1", "shelf:1/box:2");
        assertThat(seen.body().path("holders").get(0).path("leaseName").asString())
                .isEqualTo(held.leaseName());
        assertThat(seen.body().path("holders").get(0).path("releasable").asBoolean())
                .isTrue();
        assertThat(seen.body().path("holders").get(0).path("leftMs").asLong()).isBetween(1L, LONG);
        assertThat(client.get("/api/locks?key=shelf:2")
                        .body()
                        .path("holdersFound")
                        .asInt())
                .isZero();
        client.release(held.leaseId());
    }

    @Test
    void aLeaseEndsByItself() throws Exception {
        Answer held = client.take("short:1", 0, 100);
        await().untilAsserted(() ->
                assertThat(client.renew(held.leaseId(), LONG).status()).isEqualTo(410));
        Answer next = client.take("short:1", LONG, LONG);
        assertThat(next.status()).isEqualTo(201);
        client.release(next.leaseId());
    }

    @Test
    void aLeaseThatEndsByItselfIsNoTroubleToLog(CapturedOutput log) throws Exception {
        Answer held = client.take("unlogged:1", 0, 100);
        LeaseId id = LeaseId.read(held.leaseId()).orElseThrow();
        Desk desk = server.bean(Desk.class);
        await().until(() -> desk.find(id.lease()).isEmpty()); // it leaves after it could have been logged
        assertThat(log).doesNotContain(id.lease().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    keys      | {}
                    keys      | {"keys":[]}
                    keys[0]   | {"keys":[null]}
                    keys[0]   | {"keys":[""]}
                    keys[0]   | {"keys":["user"]}
                    keys[0]   | {"keys":["user:"]}
                    keys[0]   | {"keys":["user:u1//account:a1"]}
                    keys[0]   | {"keys":["user:../../etc"]}
                    keys[0]   | {"keys":["user:%2"]}
                    keys[0]   | {"keys":["user:a\\u0000b"]}
                    keys[0]   | {"keys":["User:u1"]}
                    keys[0]   | {"keys":["loop:1/loop:2"]}
                    keys[1]   | {"keys":["here:1","there:1/here:2"]}
                    keys[1]   | {"keys":["similar-one:1","similar-two:1"]}
                    mode      | {"keys":["user:u1"],"mode":"X"}
                    waitMs    | {"keys":["user:u1"],"waitMs":-1}
                    waitMs    | {"keys":["user:u1"],"waitMs":60001}
                    leaseMs   | {"keys":["user:u1"],"leaseMs":99}
                    leaseMs   | {"keys":["user:u1"],"leaseMs":60001}
                    leaseMs   | {"keys":["user:u1"],"leaseMs":9223372036854775807}
                    owner     | {"keys":["user:u1"],"owner":" "}
                    """)
    void saysWhichFieldIsWrong(String field, String body) throws Exception {
        Answer refused = client.post("/api/locks", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.code()).isEqualTo("invalid-request");
        assertThat(refused.text("field")).isEqualTo(field);
    }

    @Test
    void tooManyKeysAreRefused() throws Exception {
        String keys = "\"k:1\",".repeat(100) + "\"k:1\"";
        Answer refused = client.post("/api/locks", "{\"keys\":[" + keys + "]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("detail")).contains("101", "100");
    }

    @Test
    void saysWhatItIs() throws Exception {
        client.release(client.take("status:1", 0, LONG).leaseId());
        Answer status = client.get("/api/status");
        assertThat(status.text("node")).matches("s-[0-9a-f]{10}");
        assertThat(status.text("store")).isEqualTo("memory");
        assertThat(status.body().path("grantsFrom").isNull()).isTrue();
        assertThat(status.body().path("kindsDeclared").asBoolean()).isFalse();
        assertThat(status.body()
                        .path("kinds")
                        .valueStream()
                        .map(each -> each.path("prefix").asString()))
                .contains("status");
    }
}
