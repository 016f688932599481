package dev.lockstep.server.client;

import static org.awaitility.Awaitility.await;

import dev.lockstep.client.HttpLockStore;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testkit.LockStoreContract;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@Tag("once")
@DisplayName("the contract over HTTP, on a server in memory")
class ClientContractTest extends LockStoreContract {
    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(
                Map.of("lockstep.server.limits.longest-lease", "5m", "lockstep.server.limits.keys", 10_000));
    }

    private static void revoke(UUID lease) throws Exception {
        String node = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(server.url("/api/status")).build(), BodyHandlers.ofString())
                .body()
                .replaceAll("(?s).*\"node\":\"([^\"]+)\".*", "$1");
        HttpRequest request = HttpRequest.newBuilder(server.url("/api/admin/leases/" + node + "." + lease + "/revoke"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"reason\":\"the next test\"}"))
                .build();
        HttpResponse<String> unused = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** What a test has left behind on purpose must not be in the way of the next one. */
    @Override
    protected LockStore createStore() throws Exception {
        for (HeldLock held : server.bean(Locks.class).snapshot().holders()) {
            revoke(held.leaseId());
        }
        await().until(() -> server.bean(Locks.class).snapshot().isEmpty());
        return HttpLockStore.at(server.url().toString())
                .answerWithin(Duration.ofMinutes(1)); // a machine may stand still
    }
}
