package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testservers.Scale;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Whatever clients send, the server answers what the document says, and nothing stays held or goes missing. */
@Tag("once")
@Tag("slow")
class RandomRequestsTest {
    private static final int CLIENTS = 6;
    private static final Set<String> MUST_SUCCEED =
            Set.of("acquire", "listLocks", "renew", "release", "receive", "reserve", "ship", "cancel", "events");
    private static final JsonMapper JSON = new JsonMapper();

    private final ApiSchema schema = new ApiSchema();
    private final List<Operation> operations = Operation.all(schema);
    private final RandomRequest.Ids ids = new RandomRequest.Ids(new KnownIds(), new KnownIds());
    private final Set<String> succeeded = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void answersAreAsTheDocumentSays() throws Exception {
        long seed = Long.getLong("lockstep.seed", Scale.pick(7, (int) System.nanoTime()));
        try (RunningServer server = RunningServer.with(
                Map.of("lockstep.server.limits.longest-wait", "200ms", "lockstep.server.limits.longest-lease", "5s"))) {
            sendAll(server, seed);
            assertThat(succeeded)
                    .as("operations that were done at least once, seed " + seed)
                    .containsAll(MUST_SUCCEED);
            assertThat(refused).contains("malformed-json", "unknown-field", "invalid-request", "method-not-allowed");
            nothingIsLeft(server, seed);
        }
    }

    private void sendAll(RunningServer server, long seed) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(seed + client);
                running.add(clients.submit(() -> {
                    for (int i = 0; i < Scale.pick(200, 50_000) || (i < 5_000 && !allSucceeded()); i++) {
                        Operation operation = operations.get(random.nextInt(operations.size()));
                        check(server, RandomRequest.of(operation, schema, ids, random), seed);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    /** Some succeed seldom, such as the renewal of a lease that expires soon. */
    private boolean allSucceeded() {
        return succeeded.containsAll(MUST_SUCCEED);
    }

    private void check(RunningServer server, RandomRequest request, long seed) throws Exception {
        HttpRequest sent = HttpRequest.newBuilder(URI.create(server.url() + request.path()))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", request.type())
                .method(request.method(), HttpRequest.BodyPublishers.ofString(request.body()))
                .build();
        HttpResponse<InputStream> answer = answerTo(sent, request, seed);
        String what = "seed " + seed + ": " + request + " -> " + answer.statusCode() + " ";
        try (InputStream in = answer.body()) {
            if (type(answer).startsWith("text/event-stream")) {
                succeeded.add(request.operation().id());
                return;
            }
            String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(misfits(request, answer, body)).as(what + body).isEmpty();
        }
    }

    private HttpResponse<InputStream> answerTo(HttpRequest sent, RandomRequest request, long seed) throws Exception {
        try {
            return http.send(sent, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new IOException("seed " + seed + ": no answer to " + request, e);
        }
    }

    private List<String> misfits(RandomRequest request, HttpResponse<?> answer, String body) {
        int status = answer.statusCode();
        if (status >= 500 && status != 503) {
            return List.of("an error of the server");
        }
        if (request.method().equals("HEAD") || request.method().equals("OPTIONS")) {
            return List.of();
        }
        return status >= 400 ? problem(request, answer, body) : success(request, status, body);
    }

    private List<String> problem(RandomRequest request, HttpResponse<?> answer, String body) {
        if (!type(answer).equals("application/problem+json")) {
            return List.of("an error of type " + type(answer));
        }
        Map<?, ?> problem = JSON.readValue(body, Map.class);
        refused.add(String.valueOf(problem.get("code")));
        List<String> found = schema.misfits(problem, schema.at("components", "schemas", "BusyProblem"), "problem");
        Map<?, ?> code = schema.at("components", "schemas", "Problem", "x-codes", String.valueOf(problem.get("code")));
        if (!String.valueOf(code.get("status")).contains(String.valueOf(answer.statusCode()))) {
            found.add("the document gives " + problem.get("code") + " the status " + code.get("status"));
        }
        if (!code.get("retryable").equals(problem.get("retryable"))) {
            found.add("the document says otherwise about whether it is retryable");
        }
        if (request.right() && answer.statusCode() == 400) {
            found.add("the document allows this request");
        }
        return found;
    }

    private List<String> success(RandomRequest request, int status, String body) {
        if (!request.method().equals(request.operation().method()) || !request.right()) {
            return List.of();
        }
        Map<?, ?> answer = request.operation().answer(schema, status).orElse(null);
        if (answer == null) {
            return List.of("the document knows no such answer");
        }
        succeeded.add(request.operation().id());
        Map<?, ?> expected = Operation.json(schema, answer).orElse(null);
        if (expected == null) {
            return body.isEmpty() ? List.of() : List.of("a body where there should be none");
        }
        Map<?, ?> value = JSON.readValue(body, Map.class);
        remember(value.get("leaseId"), ids.leases());
        remember(value.get("reservationId"), ids.reservations());
        return schema.misfits(value, expected, "body");
    }

    private static void remember(Object value, KnownIds among) {
        if (value instanceof String id) {
            among.remember(id);
        }
    }

    private static String type(HttpResponse<?> answer) {
        return answer.headers().firstValue("Content-Type").orElse("none");
    }

    private static void nothingIsLeft(RunningServer server, long seed) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(server.bean(Locks.class).snapshot().holders())
                    .as("held, seed " + seed)
                    .isEmpty();
            assertThat(server.bean(Locks.class).snapshot().waiters())
                    .as("waiting, seed " + seed)
                    .isEmpty();
        });
        List<Discrepancy> wrong = new ArrayList<>();
        server.bean(Inventory.class).reconcile(wrong::add);
        assertThat(wrong).as("books, seed " + seed).isEmpty();
    }
}
