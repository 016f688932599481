package dev.lockstep.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.server.RunningServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demo lives, leaves room for whoever tries it, and never sells what it doesn't have. */
@Tag("slow")
@Tag("once")
@Timeout(180)
class DemoTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SALE = "/api/demo/flash-sale";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static RunningServer server;
    private static RunningServer plain;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of("lockstep.server.demo", true, "lockstep.server.demo-seed", 7));
        plain = RunningServer.with(Map.of()); // servers of one process end together: they share their event loops
    }

    @AfterAll
    static void stop() {
        server.close();
        plain.close();
    }

    private static JsonNode get(String path) throws Exception {
        return json(CLIENT.send(HttpRequest.newBuilder(server.url(path)).build(), BodyHandlers.ofString()));
    }

    private static HttpResponse<String> post(RunningServer to, String path, String body) throws Exception {
        return CLIENT.send(posting(to, path, body), BodyHandlers.ofString());
    }

    private static HttpRequest posting(RunningServer to, String path, String body) {
        return HttpRequest.newBuilder(to.url(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void thereIsAlwaysSomethingToSee() throws Exception {
        Set<String> owners = new HashSet<>();
        await().atMost(PATIENCE).until(() -> {
            get("/api/locks")
                    .at("/holders")
                    .forEach(each -> owners.add(each.at("/owner").stringValue()));
            return owners.size() >= 8;
        });
        await().atMost(PATIENCE)
                .until(() -> get("/api/locks").at("/waiters").size() > 0
                        && get("/api/inventory").at("/stock").size() >= 9);
    }

    @Test
    void whoTriesItLocksWhatTheyLike() throws Exception {
        HttpResponse<String> order =
                post(server, "/api/locks", "{\"keys\":[\"order:o1\",\"user:u99\"],\"owner\":\"me\"}");
        assertThat(order.statusCode()).as(order.body()).isEqualTo(201);
    }

    @Test
    void aFlashSaleSellsAllThatIsThereAndNoMore() throws Exception {
        List<HttpResponse<String>> answers = Stream.generate(() -> CLIENT.sendAsync(
                        posting(server, SALE, "{\"stock\":200,\"buyers\":50,\"orders\":3000}"),
                        BodyHandlers.ofString()))
                .limit(10) // at the same time
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(answers)
                .extracting(HttpResponse::statusCode)
                .contains(202, 409)
                .containsOnly(202, 409);
        assertThat(answers)
                .filteredOn(answer -> answer.statusCode() == 409)
                .allMatch(answer -> json(answer).at("/code").stringValue().equals("sale-running"));

        await().atMost(PATIENCE).until(() -> !get(SALE).at("/running").booleanValue());
        JsonNode sale = get(SALE);
        assertThat(sale.at("/reserved").intValue()).isEqualTo(200);
        assertThat(sale.at("/outOfStock").intValue()).isEqualTo(2_800);
        assertThat(sale.at("/oversold").booleanValue()).isFalse();
        JsonNode stock = get("/api/inventory/" + sale.at("/sku").stringValue()).at("/stock/0");
        assertThat(stock.at("/allocated").intValue()).isEqualTo(200);
        assertThat(stock.at("/available").intValue()).isZero();
    }

    @Test
    void aSaleThatCantBe() throws Exception {
        HttpResponse<String> answer = post(server, SALE, "{\"buyers\":0}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("buyers is 0. Give 1 to 500.");
    }

    @Test
    void elsewhereThereAreNone() throws Exception {
        HttpResponse<String> answer = post(plain, SALE, "{}");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(json(answer).at("/code").stringValue()).isEqualTo("demo-only");
    }
}
