package dev.lockstep.server.locks;

import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the API, over real HTTP. */
record Client(URI server, HttpClient http, @Nullable String token) {
    private static final JsonMapper JSON = new JsonMapper();

    /** What the server said. */
    record Answer(int status, JsonNode body, HttpResponse<String> raw) {
        static Answer of(HttpResponse<String> raw) {
            String text = raw.body().isEmpty() ? "{}" : raw.body();
            return new Answer(raw.statusCode(), JSON.readTree(text), raw);
        }

        String text(String field) {
            return body.path(field).asString("");
        }

        String code() {
            return text("code");
        }

        String leaseId() {
            return text("leaseId");
        }

        String leaseName() {
            return text("leaseName");
        }
    }

    static Client of(RunningServer server) {
        return with(server, null);
    }

    static Client with(RunningServer server, @Nullable String token) {
        return new Client(
                server.url(),
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
                token);
    }

    Answer take(String key, long waitMs, long leaseMs) throws IOException, InterruptedException {
        return post("/api/locks", body(key, waitMs, leaseMs));
    }

    CompletableFuture<Answer> startTaking(String key, long waitMs, long leaseMs) {
        return http.sendAsync(posting("/api/locks", body(key, waitMs, leaseMs)), BodyHandlers.ofString())
                .thenApply(Answer::of);
    }

    /** Listens to events; completes when the server ends the stream. */
    CompletableFuture<Answer> listen() {
        HttpRequest request = to("/api/events?types=alert").build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .thenApply(raw -> new Answer(raw.statusCode(), JSON.createObjectNode(), raw));
    }

    static String body(String key, long waitMs, long leaseMs) {
        return "{\"keys\":[\"" + key + "\"],\"waitMs\":" + waitMs + ",\"leaseMs\":" + leaseMs + "}";
    }

    Answer post(String path, String body) throws IOException, InterruptedException {
        return Answer.of(http.send(posting(path, body), BodyHandlers.ofString()));
    }

    private HttpRequest posting(String path, String body) {
        return to(path).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    Answer renew(String leaseId, long extendByMs) throws IOException, InterruptedException {
        return post("/api/locks/" + leaseId + "/renew", "{\"extendByMs\":" + extendByMs + "}");
    }

    Answer release(String leaseId) throws IOException, InterruptedException {
        return delete("/api/locks/" + leaseId);
    }

    Answer delete(String path) throws IOException, InterruptedException {
        return Answer.of(http.send(to(path).DELETE().build(), BodyHandlers.ofString()));
    }

    Answer get(String path) throws IOException, InterruptedException {
        return Answer.of(http.send(to(path).build(), BodyHandlers.ofString()));
    }

    private HttpRequest.Builder to(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).timeout(Duration.ofMinutes(5));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }
}
