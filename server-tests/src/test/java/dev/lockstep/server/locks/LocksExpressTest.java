package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whichever way a request takes, the short one or Spring's routing, nobody can tell from the answer. */
@Tag("once")
class LocksExpressTest {
    /** Nothing to negotiate. */
    private static final String PLAIN = "*/*";

    /** The same, but not in words that the short way knows. */
    private static final String UNUSUAL = "application/json, */*;q=0.5";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static RunningServer server;

    /** How many leases were granted and released so far. The meters count a request after its response. */
    private static int taken;

    private static int given;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of("lockstep.server.limits.longest-lease", "2m"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> post(String body, String accept) throws Exception {
        HttpResponse<String> answer = HTTP.send(
                to("/api/locks", accept)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        taken += answer.statusCode() == 201 ? 1 : 0;
        return answer;
    }

    private static HttpResponse<String> delete(String path, String accept) throws Exception {
        HttpResponse<String> answer = HTTP.send(to(path, accept).DELETE().build(), BodyHandlers.ofString());
        given += answer.statusCode() == 204 ? 1 : 0;
        return answer;
    }

    private static HttpRequest.Builder to(String path, String accept) {
        return HttpRequest.newBuilder(server.url(path)).header("Accept", accept).timeout(Duration.ofMinutes(5));
    }

    private static Map<String, List<String>> headers(HttpResponse<?> answer) {
        Map<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.remove("content-length"); // numbers in the body may have fewer digits
        headers.computeIfPresent("location", (name, values) -> List.of(pattern(values.get(0))));
        return headers;
    }

    /** What differs from lease to lease is left out. */
    private static String pattern(String text) {
        return text.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}(\\.[\\w-]{22})?", "ID")
                .replaceAll("(\"token\":\"|\"expiresAt\":\"|\"(leaseMs|waitedMs)\":)[^\",}]*", "$1");
    }

    private static void assertSame(HttpResponse<String> one, HttpResponse<String> other) {
        assertThat(one.statusCode()).isEqualTo(other.statusCode());
        assertThat(headers(one)).isEqualTo(headers(other));
        assertThat(pattern(one.body())).isEqualTo(pattern(other.body()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{",
                "[]",
                "\"text\"",
                "{}",
                "{} {}",
                "{\"keys\":[]}",
                "{\"keys\":[null]}",
                "{\"keys\":[5]}",
                "{\"keys\":\"user:u1\"}",
                "{\"keys\":[\"user\"]}",
                "{\"keys\":[\"user:u1\"],\"keys\":[\"user:u2\"]}",
                "{\"keys\":[\"user:u1\"],\"kees\":1}",
                "{\"keys\":[\"user:u1\"],\"waitMs\":\"5\"}",
                "{\"keys\":[\"user:u1\"],\"waitMs\":1.5}",
                "{\"keys\":[\"user:u1\"],\"leaseMs\":1}",
                "{\"keys\":[\"user:u1\"],\"mode\":\"both\"}"
            })
    void whatIsWrongIsSaidInTheSameWords(String body) throws Exception {
        HttpResponse<String> answer = post(body, PLAIN);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertSame(answer, post(body, UNUSUAL));
    }

    @Test
    void aLeaseLooksTheSame() throws Exception {
        String body =
                "{\"keys\":[\"user:u1\"],\"mode\":\"shared\",\"owner\":\"Zoë\",\"waitMs\":60000,\"leaseMs\":120000}";
        HttpResponse<String> one = post(body, PLAIN);
        HttpResponse<String> other = post(body, UNUSUAL);
        assertThat(one.statusCode()).isEqualTo(201);
        assertSame(one, other);
        String location = one.headers().firstValue("Location").orElseThrow();
        assertThat(one.body()).contains(location.substring("/api/locks/".length()));
        assertSame(
                delete(location, PLAIN),
                delete(other.headers().firstValue("Location").orElseThrow(), UNUSUAL));
        assertSame(delete(location, PLAIN), delete(location, UNUSUAL));
    }

    @Test
    void aLocationLeadsToTheLeaseAlsoBelowABasePath() throws Exception {
        try (RunningServer moved = RunningServer.with(Map.of("spring.webflux.base-path", "/locking"))) {
            for (String accept : List.of(PLAIN, UNUSUAL)) {
                HttpResponse<String> lease = HTTP.send(
                        HttpRequest.newBuilder(moved.url("/locking/api/locks"))
                                .header("Accept", accept)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"keys\":[\"user:u1\"]}"))
                                .build(),
                        BodyHandlers.ofString());
                String location = lease.headers().firstValue("Location").orElseThrow();
                HttpRequest release =
                        HttpRequest.newBuilder(moved.url(location)).DELETE().build();
                assertThat(HTTP.send(release, BodyHandlers.discarding()).statusCode())
                        .as(location)
                        .isEqualTo(204);
            }
        }
    }

    /** The long way would choose this type for each of them, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/json",
                "application/json, */*",
                "application/json, text/plain, */*",
                "application/json, application/*+json",
                "application/json, text/html"
            })
    void whatIsUsuallyAskedForIsAnsweredInJson(String accept) throws Exception {
        HttpResponse<String> lease = post("{\"keys\":[\"asked:a1\"],\"mode\":\"shared\",\"leaseMs\":120000}", accept);
        assertThat(lease.statusCode()).isEqualTo(201);
        assertThat(lease.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(delete(lease.headers().firstValue("Location").orElseThrow(), accept)
                        .statusCode())
                .isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/locks",
                "/api/locks/",
                "/api/locks/nonsense",
                "/api/locks/a.00000000-0000-0000-0000-000000000000",
                "/api/locks/A.00000000-0000-0000-0000-000000000000",
                "/api/locks/other.00000000-0000-0000-0000-000000000000",
                "/api/locks/a%2E00000000-0000-0000-0000-000000000000",
                "/api/locks/a.00000000-0000-0000-0000-000000000000;x=y",
                "/api/locksmith/a.00000000-0000-0000-0000-000000000000"
            })
    void whatIsNotThereIsSaidInTheSameWords(String path) throws Exception {
        HttpResponse<String> answer = delete(path, PLAIN);
        assertThat(answer.statusCode()).isBetween(400, 499);
        assertSame(answer, delete(path, UNUSUAL));
    }

    @Test
    void bothAreMeasuredUnderTheSameNames() throws Exception {
        for (String accept : List.of(PLAIN, UNUSUAL)) {
            awaitCounted();
            HttpResponse<String> lease = post("{\"keys\":[\"measured:m1\"],\"leaseMs\":120000}", accept);
            assertThat(delete(lease.headers().firstValue("Location").orElseThrow(), accept)
                            .statusCode())
                    .isEqualTo(204);
            awaitCounted();
        }
    }

    private static void awaitCounted() {
        Awaitility.await().untilAsserted(() -> {
            assertThat(counted("POST", "/api/locks", "201")).isEqualTo(taken);
            assertThat(counted("DELETE", "/api/locks/{leaseId}", "204")).isEqualTo(given);
        });
    }

    private static double counted(String method, String uri, String status) {
        return server
                .bean("prometheusMeterRegistry", MeterRegistry.class)
                .find("http.server.requests")
                .tags("method", method, "uri", uri, "status", status)
                .timers()
                .stream()
                .mapToDouble(timer -> (double) timer.count())
                .sum();
    }
}
