package dev.lockstep.server.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.server.AwayStore;
import dev.lockstep.server.RunningServer;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What clients are told of a pair of stores. */
@Tag("once")
@Timeout(300)
class PairEventsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    @Test
    @DisplayName("a switch and the way back are events, and status and locks say which store is in use")
    void thereAndBack() throws Exception {
        try (RunningServer server = RunningServer.onAPair()) {
            List<String> lines = listen(server);
            assertThat(status(server).get("active").asString()).isEqualTo("redis");
            AwayStore primary = server.bean("primary", AwayStore.class);
            primary.leave();
            server.passTimeUntil(state -> state.onSecondary() && state.grants() == Grants.YES);
            awaitLine(lines, "event:switch-to-fallback");
            awaitLine(lines, "event:switch-completed");
            JsonNode moved = status(server);
            assertThat(moved.get("active").asString()).isEqualTo("database");
            assertThat(moved.get("onSecondary").booleanValue()).isTrue();
            assertThat(moved.get("since").isNull()).isFalse();
            assertThat(get(server, "/api/locks").get("fallback").get("epoch")).isEqualTo(moved.get("epoch"));
            assertThat(lines)
                    .anyMatch(line -> line.contains("Locks move to database") && line.contains("away on purpose"));
            primary.comeBack();
            server.passTimeUntil(state -> !state.onSecondary());
            awaitLine(lines, "event:switch-back");
        }
    }

    @Test
    @DisplayName("without its fallback the pair stops, and says so")
    void withoutTheSecondary() throws Exception {
        try (RunningServer server = RunningServer.onAPair()) {
            List<String> lines = listen(server);
            AwayStore secondary = server.bean("secondary", AwayStore.class);
            secondary.leave();
            server.passTimeUntil(state -> state.grants() == Grants.STOPPED);
            awaitLine(lines, "event:secondary-lost");
            assertThat(status(server).get("grants").asString()).isEqualTo("stopped");
            secondary.comeBack();
            server.passTimeUntil(state -> state.grants() == Grants.YES);
            awaitLine(lines, "event:secondary-found");
            assertThat(status(server).get("grants").asString()).isEqualTo("yes");
        }
    }

    @Test
    @DisplayName("a single store has no such state")
    void single() throws Exception {
        try (RunningServer server = RunningServer.with(Map.of())) {
            assertThat(status(server).isNull()).isTrue();
            assertThat(get(server, "/api/locks").get("fallback").isNull()).isTrue();
        }
    }

    private static JsonNode status(RunningServer server) throws Exception {
        return get(server, "/api/status").get("fallback");
    }

    private static JsonNode get(RunningServer server, String path) throws Exception {
        return JSON.readTree(
                CLIENT.send(HttpRequest.newBuilder(server.url(path)).build(), BodyHandlers.ofString())
                        .body());
    }

    private static List<String> listen(RunningServer server) throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        InputStream stream = CLIENT.send(
                        HttpRequest.newBuilder(server.url("/api/events")).build(), BodyHandlers.ofInputStream())
                .body();
        Thread reader = new Thread(
                () -> new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                        .lines()
                        .forEach(lines::add),
                "listening");
        reader.setDaemon(true);
        reader.setUncaughtExceptionHandler((thread, end) -> lines.add("closed"));
        reader.start();
        return lines;
    }

    private static void awaitLine(List<String> lines, String line) {
        await().atMost(LONG).until(() -> lines.contains(line));
    }
}
