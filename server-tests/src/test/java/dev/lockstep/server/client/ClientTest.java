package dev.lockstep.server.client;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.lockstep.client.HttpLockStore;
import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.keys.KeyReader;
import dev.lockstep.testkit.Tenancy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client beyond the contract: lost responses, tokens, revoked leases, and what is no server. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ClientTest {
    private static final String TOKEN = "sesame-sesame-sesame";
    private static final LockKey KEY = Tenancy.user("client");

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of("lockstep.server.token", TOKEN));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpLockStore store(String url) {
        return HttpLockStore.at(url).token(TOKEN).answerWithin(Duration.ofSeconds(60));
    }

    private static Locks locks() {
        return Locks.on(store(server.url().toString()));
    }

    @Test
    void aLeaseIsHeldAtTheServerUnderItsTokenAndRenewed() {
        try (Locks locks = locks();
                Lease lease = locks.acquire(exclusive(KEY).as("billing"))) {
            assertThat(server.bean(Locks.class).snapshot().holders())
                    .singleElement()
                    .satisfies(held -> assertThat(held.owner()).isEqualTo("billing"));
            assertThat(lease.token().value()).isPositive();
            lease.renew(Duration.ofSeconds(20));
            assertThat(locks.snapshot().holders())
                    .singleElement()
                    .satisfies(held -> assertThat(held.leaseId()).isEqualTo(lease.id()));
        }
    }

    @Test
    void sharedAndExclusiveKeysOfOneRequestAreAcquiredTogether() {
        LockKey a = Tenancy.account("u1", "a1");
        LockKey b = Tenancy.account("u2", "a2");
        try (Locks locks = locks();
                Locks other = locks()) {
            try (Lease lease = locks.acquire(exclusive(a).andShared(b))) {
                assertThat(other.tryAcquire(shared(a))).isInstanceOf(Busy.class);
                assertThat(other.tryAcquire(exclusive(b))).isInstanceOf(Busy.class);
                other.acquire(shared(b)).close();
                assertThat(lease.isHeld()).isTrue();
            }
        }
        assertThat(server.bean(Locks.class).snapshot().isEmpty()).isTrue();
    }

    @Test
    void aLostResponseIsAskedForAgainAndNothingIsAcquiredTwice() throws Exception {
        try (LossyRelay relay = new LossyRelay(server.port());
                Locks locks = Locks.on(store(relay.url()))) {
            relay.lose(2);
            try (Lease lease = locks.acquire(exclusive(KEY).within(Duration.ofSeconds(60)))) {
                assertThat(relay.lost()).isEqualTo(2);
                assertThat(server.bean(Locks.class).snapshot().holders()).hasSize(1);
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(server.bean(Locks.class).snapshot().isEmpty()).isTrue();
        }
    }

    @Test
    void aRequestThatWaitsIsGrantedAndKeepsItsWholeTerm() throws Exception {
        try (Locks locks = locks();
                Locks other = Locks.on(store(server.url().toString()).longestWait(Duration.ofMillis(200)))) {
            Lease first = locks.acquire(exclusive(KEY));
            CompletableFuture<Lease> second = other.acquireAsync(exclusive(KEY).withoutLimit());
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !server.bean(Locks.class).snapshot().waiters().isEmpty());
            first.close();
            Lease lease = second.get(120, TimeUnit.SECONDS);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void aCancelledRequestLeavesTheQueue() {
        try (Locks locks = locks()) {
            Lease first = locks.acquire(exclusive(KEY));
            CompletableFuture<Lease> second = locks.acquireAsync(exclusive(KEY).withoutLimit());
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !server.bean(Locks.class).snapshot().waiters().isEmpty());
            second.cancel(true);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> server.bean(Locks.class).snapshot().waiters().isEmpty());
            first.close();
        }
        assertThat(server.bean(Locks.class).snapshot().isEmpty()).isTrue();
    }

    @Test
    void aRevokedLeaseIsLost() throws Exception {
        try (Locks locks = locks()) {
            Lease lease = locks.acquire(exclusive(KEY));
            String name = HttpClient.newHttpClient()
                    .send(request("/api/locks").GET().build(), BodyHandlers.ofString())
                    .body()
                    .replaceAll("(?s).*\"leaseName\":\"([^\"]+)\".*", "$1");
            HttpClient.newHttpClient()
                    .send(
                            request("/api/admin/leases/" + name + "/revoke")
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"reason\":\"test\"}"))
                                    .build(),
                            BodyHandlers.discarding());
            assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.url(path)).header("Authorization", "Bearer " + TOKEN);
    }

    @Test
    void aMissingTokenIsSaid() {
        try (Locks locks = Locks.on(HttpLockStore.at(server.url().toString()))) {
            assertThatThrownBy(() -> locks.acquire(exclusive(KEY)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("Bearer");
        }
    }

    @Test
    void whatTheServerRefusesIsSaidAndNothingIsHeld() {
        try (Locks locks = locks()) {
            assertThatThrownBy(() -> locks.acquire(exclusive(KEY).forTerm(Duration.ofMinutes(2))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("leaseMs");
            assertThat(locks.snapshot().isEmpty()).isTrue();
        }
    }

    @Test
    void keysOfTheServersOwnKindsAreLockedToo() {
        LockKey key = KeyReader.open().parse("order:o 1/line:ü");
        try (Locks locks = locks();
                Lease lease = locks.acquire(exclusive(key))) {
            assertThat(server.bean(Locks.class).snapshot().holders()).hasSize(2);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void permitsAreRefused() {
        try (Locks locks = locks()) {
            assertThatThrownBy(() -> locks.permits(KEY, 2))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("no permits over HTTP");
        }
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (Locks locks =
                Locks.on(HttpLockStore.at("http://127.0.0.1:" + port).answerWithin(Duration.ofMillis(100)))) {
            assertThatThrownBy(() -> locks.acquire(exclusive(KEY)))
                    .asInstanceOf(type(LockException.class))
                    .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"200|<html>", "201|{\"leaseId\":\"x\"}", "404|[]", "302|''", "500|{\"a\":"})
    void whatIsNoServerIsSaid(int status, String body) throws IOException {
        HttpServer stranger = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stranger.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        stranger.start();
        String url = "http://127.0.0.1:" + stranger.getAddress().getPort();
        try (Locks locks = Locks.on(HttpLockStore.at(url))) {
            assertThatThrownBy(() -> locks.acquire(exclusive(KEY)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining(URI.create(url).getAuthority())
                    .hasMessageContaining("Check host and port");
        } finally {
            stranger.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7070", "ftp://h", "http://user:secret@h", "http://h/?x=secret", "http:// h", ""})
    void anAddressThatIsNoneIsRefusedWithoutItsSecret(String url) {
        assertThatThrownBy(() -> HttpLockStore.at(url))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("such as http://127.0.0.1:7070")
                .hasMessageNotContaining("secret");
    }
}
