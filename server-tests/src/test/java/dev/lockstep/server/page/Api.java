package dev.lockstep.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server's API as another client sees it. */
record Api(RunningServer server) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    JsonNode get(String path) {
        return read(send(HttpRequest.newBuilder(server.url(path)).build()));
    }

    /** The elements of a list in an answer. */
    static List<JsonNode> each(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).toList();
    }

    /** Acquires a lock that lasts for ten minutes, and returns its lease. */
    String take(String key, String mode, String owner) {
        HttpResponse<String> answer = send(post("/api/locks", request(key, mode, owner, 0)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return read(answer).get("leaseId").asString();
    }

    /** Waits for a lock as long as it is allowed to. */
    CompletableFuture<HttpResponse<String>> waitFor(String key, String owner) {
        return waitFor(key, "exclusive", owner);
    }

    CompletableFuture<HttpResponse<String>> waitFor(String key, String mode, String owner) {
        return CLIENT.sendAsync(post("/api/locks", request(key, mode, owner, 600_000)), BodyHandlers.ofString());
    }

    void release(String leaseId) {
        send(HttpRequest.newBuilder(server.url("/api/locks/" + leaseId))
                .DELETE()
                .build());
    }

    void receive(String sku, String location, int quantity) {
        HttpResponse<String> answer = send(post(
                "/api/inventory/" + sku + "/" + location + "/receipts",
                "{\"quantity\":" + quantity + ",\"requestId\":\"receipt-" + sku + "-" + location + "\"}"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    void reserve(String sku, String location, int quantity, String requestId) {
        send(post(
                "/api/inventory/" + sku + "/" + location + "/reservations",
                "{\"quantity\":" + quantity + ",\"requestId\":\"" + requestId + "\"}"));
    }

    private static String request(String key, String mode, String owner, int waitMs) {
        return "{\"keys\":[\"" + key + "\"],\"mode\":\"" + mode + "\",\"owner\":\"" + owner + "\",\"waitMs\":" + waitMs
                + ",\"leaseMs\":600000}";
    }

    private HttpRequest post(String path, String json) {
        return HttpRequest.newBuilder(server.url(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode read(HttpResponse<String> answer) {
        return JSON.readTree(answer.body());
    }
}
