package dev.lockstep.server.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import dev.lockstep.server.RunningServer;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stock over HTTP, as the API's document has it. */
@Tag("once")
@Timeout(240)
class InventoryApiTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static RunningServer server;

    private final String sku = "SKU-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whatIsReceivedCanBeReservedAndShipped() throws Exception {
        HttpResponse<String> received = receive(7);
        assertThat(received.statusCode()).isEqualTo(201);
        assertThat(text(received, "$.outcome")).isEqualTo("received");
        assertThat(number(received, "$.changes[0].physical")).isEqualTo(7);

        HttpResponse<String> reserved = reserve(2, "r-" + sku);
        assertThat(reserved.statusCode()).isEqualTo(201);
        assertThat(text(reserved, "$.outcome")).isEqualTo("reserved");
        assertThat(text(reserved, "$.reservationId")).isEqualTo("r-" + sku);
        assertThat(number(reserved, "$.changes[0].allocated")).isEqualTo(2);

        HttpResponse<String> shipped = ship("r-" + sku, "s-" + sku);
        assertThat(shipped.statusCode()).isEqualTo(201);
        assertThat(text(shipped, "$.outcome")).isEqualTo("shipped");
        assertThat(text(shipped, "$.reservationId")).isEqualTo("r-" + sku);
        assertStock(5, 0, 3);
    }

    @Test
    void theSameRequestIdGetsTheSameAnswerOnce() throws Exception {
        receive(7);
        HttpResponse<String> first = reserve(2, "r-" + sku);
        HttpResponse<String> again = reserve(2, "r-" + sku);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.statusCode()).isEqualTo(201);
        assertProblem(reserve(3, "r-" + sku), 409, "request-id-reused");
        assertStock(7, 2, 2);
    }

    @Test
    void aCancellationGivesBackAndMayBeRepeated() throws Exception {
        receive(7);
        reserve(2, "r/" + sku);
        String path = "/api/inventory/reservations/" + encoded("r/" + sku);
        HttpResponse<String> cancelled = delete(path);
        assertThat(cancelled.statusCode()).isEqualTo(200);
        assertThat(text(cancelled, "$.outcome")).isEqualTo("cancelled");
        assertThat(delete(path).body()).isEqualTo(cancelled.body());
        assertProblem(ship("r/" + sku, "s-" + sku), 409, "reservation-over");
        assertProblem(delete("/api/inventory/reservations/nobody"), 404, "unknown-reservation");
        assertStock(7, 0, 3);
    }

    @Test
    void aReservationIsShownToClientsThatKnowItsId() throws Exception {
        receive(7);
        reserve(2, "r/" + sku);
        String path = "/api/inventory/reservations/" + encoded("r/" + sku);
        HttpResponse<String> held = get(path);
        assertThat(held.statusCode()).as(held.body()).isEqualTo(200);
        assertThat(text(held, "$.state")).isEqualTo("held");
        assertThat(text(held, "$.lines[0].sku")).isEqualTo(sku);
        assertThat(number(held, "$.lines[0].quantity")).isEqualTo(2);
        delete(path);
        assertThat(text(get(path), "$.state")).isEqualTo("cancelled");
        assertProblem(get("/api/inventory/reservations/nobody"), 404, "unknown-reservation");
        assertProblem(get("/api/inventory/reservations/%20"), 400, "invalid-request");
    }

    @Test
    void theFeedHasEveryChangeAfterAPosition() throws Exception {
        receive(7);
        reserve(2, "r-" + sku);
        long after = 0;
        List<String> requests = new ArrayList<>();
        HttpResponse<String> page = get("/api/inventory/changes/0?most=1000");
        while (number(page, "$.changes.length()") > 0) {
            requests.addAll(JsonPath.read(page.body(), "$.changes[?(@.sku == '" + sku + "')].type"));
            after = number(page, "$.last");
            page = get("/api/inventory/changes/" + after);
        }
        assertThat(requests).containsExactly("receive", "reserve");
        assertThat(number(page, "$.last")).isEqualTo(after);
        assertField(get("/api/inventory/changes/" + (after + 1_000_000)), "after");
        assertField(get("/api/inventory/changes/-1"), "after");
    }

    @Test
    void aCountCorrectsTheStockOnce() throws Exception {
        receive(7);
        reserve(5, "r-" + sku);
        String path = stock() + "/adjustments";
        String body = "{\"quantity\":-1,\"reason\":\"damaged\",\"requestId\":\"count-%s\"}".formatted(sku);
        HttpResponse<String> adjusted = post(path, body, "en");
        assertThat(adjusted.statusCode()).as(adjusted.body()).isEqualTo(201);
        assertThat(text(adjusted, "$.outcome")).isEqualTo("adjusted");
        assertThat(post(path, body, "en").body()).isEqualTo(adjusted.body());
        assertStock(6, 5, 3);
        assertProblem(
                post(path, "{\"quantity\":-2,\"reason\":\"lost\",\"requestId\":\"c2-%s\"}".formatted(sku), "en"),
                409,
                "out-of-stock");
        assertField(post(path, "{\"quantity\":0,\"reason\":\"lost\",\"requestId\":\"x\"}", "en"), "quantity");
        assertField(post(path, "{\"quantity\":1,\"requestId\":\"x\"}", "en"), "reason");
        assertField(post(path, "{\"quantity\":1,\"reason\":\" \",\"requestId\":\"x\"}", "en"), "reason");
        assertStock(6, 5, 3);
    }

    @Test
    void whatIsShortIsSaidInTheClientsLanguage() throws Exception {
        receive(3);
        HttpResponse<String> english = reserve(4, "en-" + sku);
        assertProblem(english, 409, "out-of-stock");
        assertThat(number(english, "$.shortages[0].available")).isEqualTo(3);
        assertThat(number(english, "$.shortages[0].requested")).isEqualTo(4);
        String path = stock() + "/reservations";
        String japanese = text(post(path, body(4, "ja-" + sku), "ja-JP, en;q=0.5"), "$.detail");
        String korean = text(post(path, body(4, "ko-" + sku), "fr, ko;q=0.9"), "$.detail");
        assertThat(japanese).matches(".*\\p{IsHiragana}.*").isNotEqualTo(text(english, "$.detail"));
        assertThat(korean).matches(".*\\p{IsHangul}.*");
        assertThat(text(post(path, body(4, "x-" + sku), ";;nonsense"), "$.detail"))
                .isEqualTo(text(english, "$.detail"));
    }

    @Test
    void anOrderIsSetAsideWholeOrNotAtAll() throws Exception {
        receive(3);
        post("/api/inventory/" + sku + "/OSAKA/receipts", body(1, "o-" + sku), "en");
        assertProblem(order(2, 2), 409, "out-of-stock");
        HttpResponse<String> done = order(2, 1);
        assertThat(done.statusCode()).isEqualTo(201);
        assertThat(JsonPath.<Integer>read(done.body(), "$.changes.length()")).isEqualTo(2);
        assertStock(3, 2, 2);
    }

    @Test
    void aReservationOfAnotherStockIsNotShippedHere() throws Exception {
        receive(3);
        reserve(1, "r-" + sku);
        HttpResponse<String> wrong = post(
                "/api/inventory/" + sku + "/OSAKA/shipments",
                "{\"reservationId\":\"r-" + sku + "\",\"requestId\":\"s-" + sku + "\"}",
                "en");
        assertProblem(wrong, 404, "unknown-reservation");
        assertProblem(ship("nobody-" + sku, "s2-" + sku), 404, "unknown-reservation");
        assertStock(3, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "a b",
                "シャツ",
                "%",
                "a%2Fb",
                "a;b=c",
                "..",
                ".",
                "a?b#c",
                "\"\\",
                "😀",
                "a+b",
                "reservations"
            })
    void aSkuMayHaveAnyReadableCharacter(String name) throws Exception {
        String path = "/api/inventory/" + encoded(name);
        HttpResponse<String> received = post(path + "/" + encoded(name) + "/receipts", body(1, name + sku), "en");
        assertThat(received.statusCode()).as(received.body()).isEqualTo(201);
        assertThat(text(received, "$.changes[0].sku")).isEqualTo(name);
        assertThat(text(received, "$.changes[0].location")).isEqualTo(name);
        assertThat(text(get(path), "$.sku")).isEqualTo(name);
        assertThat(text(get(path), "$.stock[0].location")).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%00", "%0A", "%20a", "a%20", "a;b"})
    void whatNoSkuCanBeIsRefused(String raw) throws Exception {
        assertProblem(post("/api/inventory/" + raw + "/X/receipts", body(1, "r-" + sku), "en"), 400, "invalid-request");
        assertProblem(get("/api/inventory/" + raw), 400, "invalid-request");
    }

    @Test
    void wrongFieldsAreNamed() throws Exception {
        String path = stock() + "/reservations";
        assertField(post(path, "{\"requestId\":\"x\"}", "en"), "quantity");
        assertField(post(path, "{\"quantity\":0,\"requestId\":\"x\"}", "en"), "quantity");
        assertField(post(path, "{\"quantity\":1000000001,\"requestId\":\"x\"}", "en"), "quantity");
        assertField(post(path, "{\"quantity\":1}", "en"), "requestId");
        assertField(post(path, body(1, "x".repeat(101)), "en"), "requestId");
        assertField(post(path, body(1, "expire/x"), "en"), "requestId");
        assertField(post(path, body(1, "cancel/x"), "en"), "requestId");
        assertField(post(path, "{\"quantity\":1,\"requestId\":\"x\",\"heldForMs\":5}", "en"), "heldForMs");
        assertField(post(stock() + "/shipments", "{\"requestId\":\"x\"}", "en"), "reservationId");
        assertField(post("/api/inventory/reservations", "{\"lines\":[],\"requestId\":\"x\"}", "en"), "lines");
        assertField(post("/api/inventory/reservations", "{\"lines\":[null],\"requestId\":\"x\"}", "en"), "lines");
        assertField(post("/api/inventory/" + "x".repeat(65) + "/A/receipts", body(1, "x-" + sku), "en"), "sku");
        assertProblem(post(path, body(1, "x-" + sku), "en"), 404, "not-found");
    }

    @Test
    void theBoardShowsWhatWasTouchedLast() throws Exception {
        receive(3);
        reserve(1, "r-" + sku);
        String other = "SKU-" + UUID.randomUUID();
        post("/api/inventory/" + other + "/TOKYO/receipts", body(1, other), "en");
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            HttpResponse<String> board = get("/api/inventory");
            assertThat(text(board, "$.stock[0].sku")).isEqualTo(other);
            assertThat(text(board, "$.stock[1].sku")).isEqualTo(sku);
            assertThat(number(board, "$.stock[1].available")).isEqualTo(2);
            assertThat(number(board, "$.stock[1].version")).isEqualTo(2);
            assertThat(number(board, "$.figures.outcomes.reserved")).isPositive();
        });
    }

    private HttpResponse<String> receive(long quantity) throws Exception {
        return post(stock() + "/receipts", body(quantity, "receive-" + sku), "en");
    }

    private HttpResponse<String> reserve(long quantity, String id) throws Exception {
        return post(stock() + "/reservations", body(quantity, id), "en");
    }

    private HttpResponse<String> ship(String reservation, String id) throws Exception {
        return post(
                stock() + "/shipments",
                "{\"reservationId\":\"" + reservation + "\",\"requestId\":\"" + id + "\"}",
                "en");
    }

    private HttpResponse<String> order(long tokyo, long osaka) throws Exception {
        String line = "{\"sku\":\"%s\",\"location\":\"%s\",\"quantity\":%d}";
        return post(
                "/api/inventory/reservations",
                "{\"lines\":[%s,%s],\"requestId\":\"%s\"}"
                        .formatted(
                                line.formatted(sku, "TOKYO", tokyo),
                                line.formatted(sku, "OSAKA", osaka),
                                UUID.randomUUID()),
                "en");
    }

    private String stock() {
        return "/api/inventory/" + sku + "/TOKYO";
    }

    private static String body(long quantity, String id) {
        return "{\"quantity\":" + quantity + ",\"requestId\":\""
                + id.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}";
    }

    private static HttpResponse<String> post(String path, String body, String languages) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(server.url(path))
                        .header("Content-Type", "application/json")
                        .header("Accept-Language", languages)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return CLIENT.send(HttpRequest.newBuilder(server.url(path)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> delete(String path) throws Exception {
        return CLIENT.send(HttpRequest.newBuilder(server.url(path)).DELETE().build(), BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace(".", "%2E");
    }

    private static String text(HttpResponse<String> answer, String path) {
        return JsonPath.read(answer.body(), path);
    }

    private static long number(HttpResponse<String> answer, String path) {
        return JsonPath.<Number>read(answer.body(), path).longValue();
    }

    private void assertStock(long physical, long allocated, long version) throws Exception {
        HttpResponse<String> stock = get("/api/inventory/" + sku);
        String row = "$.stock[?(@.location=='TOKYO' && @.physical==%d && @.allocated==%d && @.version==%d)]"
                .formatted(physical, allocated, version);
        assertThat(JsonPath.<java.util.List<?>>read(stock.body(), row))
                .as(stock.body())
                .hasSize(1);
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(text(answer, "$.code")).isEqualTo(code);
        assertThat(text(answer, "$.detail")).isNotBlank();
    }

    private static void assertField(HttpResponse<String> answer, String field) {
        assertProblem(answer, 400, "invalid-request");
        assertThat(text(answer, "$.field")).as(answer.body()).isEqualTo(field);
    }
}
