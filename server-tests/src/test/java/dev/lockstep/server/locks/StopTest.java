package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Tag("once")
class StopTest {
    private static final long LONG = 600_000;

    @TempDir
    Path data;

    @Test
    void waitersGetAResponseWhenTheServerStops() throws Exception {
        CompletableFuture<Answer> waiting;
        try (RunningServer server = start(data)) {
            Client client = Client.of(server);
            client.take("stop:1", 0, LONG);
            waiting = client.startTaking("stop:1", LONG, LONG);
            await().untilAsserted(() ->
                    assertThat(server.bean(WaitingRoom.class).size()).isOne());
        }
        Answer told = waiting.join();
        assertThat(told.status()).isEqualTo(503);
        assertThat(told.code()).isEqualTo("shutting-down");
        assertThat(told.body().path("retryable").asBoolean()).isTrue();
        // a client still believes in its lease, so the next start waits for that
        try (RunningServer server = start(data)) {
            assertThat(Client.of(server).take("stop:1", 0, LONG).code()).isEqualTo("starting-up");
        }
    }

    @Test
    void aCleanStopWithoutLeasesLetsTheNextOneStartAtOnce() throws Exception {
        try (RunningServer server = start(data)) {
            Client client = Client.of(server);
            client.release(client.take("stop:1", 0, LONG).leaseId());
        }
        try (RunningServer server = start(data)) {
            assertThat(Client.of(server).take("stop:2", 0, LONG).status()).isEqualTo(201);
        }
    }

    /** A server's log may come before it. */
    private static URI addressOf(ChildJvm child) throws IOException {
        String line = child.answer(Duration.ofMinutes(2));
        while (!line.startsWith("http://")) {
            line = child.answer(Duration.ofMinutes(2));
        }
        return URI.create(line);
    }

    @Test
    void aKilledServerGrantsNothingUntilItsLeasesAreOver() throws Exception {
        try (ChildJvm killed = ChildJvm.start(Child.class, data.toString())) {
            URI url = addressOf(killed);
            assertThat(new Client(url, HttpClient.newHttpClient(), null)
                            .take("stop:1", 0, LONG)
                            .status())
                    .isEqualTo(201);
            assertThatThrownBy(() -> start(data)).hasStackTraceContaining("Another server runs");
            killed.kill();
            killed.exitCode();
        }
        try (RunningServer server = start(data)) {
            Answer refused = Client.of(server).take("stop:1", 0, LONG);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("starting-up");
            assertThat(refused.raw().headers().firstValue("Retry-After")).isPresent();
            assertThat(Client.of(server).get("/api/status").text("grantsFrom")).isNotEmpty();
        }
    }

    private static RunningServer start(Path data) {
        return RunningServer.with(Map.of(
                "lockstep.server.data",
                data,
                "lockstep.server.limits.longest-wait",
                "10m",
                "lockstep.server.limits.longest-lease",
                "10m",
                "spring.webflux.problemdetails.enabled",
                true,
                "logging.level.root",
                "off"));
    }

    /** Another process with a server. */
    static final class Child {
        public static void main(String[] arguments) throws Exception {
            try (RunningServer server = start(Path.of(arguments[0]))) {
                System.out.println(server.url());
                ChildJvm.obey(words -> "?");
            }
        }
    }
}
