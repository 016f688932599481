package dev.lockstep.server.http;

import static dev.lockstep.server.http.RawConnection.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask: the token, the host and the origin. */
@Tag("once")
class AccessTest {
    private static final String TOKEN = "0123456789abcdef-token";
    private static final String SHOWN = "Authorization: Bearer " + TOKEN;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(
                Map.of("lockstep.server.token", TOKEN, "lockstep.server.hosts", "locks.example.org"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/locks",
                "/api/nowhere",
                "/%61pi/locks",
                "/api;x=y/locks",
                "/actuator",
                "/actuator/health",
                "/actuator/prometheus",
                "/v3/api-docs"
            })
    void withoutTheTokenNothingIsReported(String path) throws IOException {
        assertThat(ask(server, "GET " + path + " HTTP/1.1", "Host: localhost"))
                .startsWith("HTTP/1.1 401")
                .contains("WWW-Authenticate: Bearer", "\"code\":\"unauthorized\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer x",
                "Bearer 0123456789abcdef-toke",
                "Bearer 0123456789abcdef-tokens",
                "Basic 0123456789abcdef-token",
                "0123456789abcdef-token"
            })
    void aWrongTokenIsRefused(String shown) throws IOException {
        assertThat(ask(server, "GET /v3/api-docs HTTP/1.1", "Host: localhost", "Authorization: " + shown))
                .startsWith("HTTP/1.1 401")
                .doesNotContain(TOKEN);
    }

    @Test
    void theTokenOpens() throws IOException {
        assertThat(ask(server, "GET /v3/api-docs HTTP/1.1", "Host: localhost", SHOWN))
                .startsWith("HTTP/1.1 200");
        assertThat(ask(server, "GET /actuator/health HTTP/1.1", "Host: localhost", SHOWN))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health/liveness", "/actuator/health/readiness"})
    void probesAreOpenAndTellTheStatusOnly(String path) throws IOException {
        assertThat(ask(server, "GET " + path + " HTTP/1.1", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .endsWith("{\"status\":\"UP\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST:7070", "127.0.0.1", "127.0.0.1:80", "[::1]:7070", "locks.example.org:443"
            })
    void itsOwnNamesAreKnown(String host) throws IOException {
        assertThat(ask(server, "GET /v3/api-docs HTTP/1.1", "Host: " + host, SHOWN))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example.org",
                "localhost.example.org",
                "127.0.0.1.example.org",
                "10.0.0.1",
                "localhost:7070:1",
                "[::1",
                ""
            })
    void otherNamesAreRefusedEverywhere(String host) throws IOException {
        for (String path : new String[] {"/v3/api-docs", "/", "/actuator/health/liveness"}) {
            assertThat(ask(server, "GET " + path + " HTTP/1.1", "Host: " + host, SHOWN))
                    .matches("(?s)HTTP/1.1 (403|400).*\"code\":\"(forbidden-host|invalid-request)\".*");
        }
    }

    @Test
    void twoHostsAreRefused() throws IOException {
        assertThat(ask(server, "GET /v3/api-docs HTTP/1.1", "Host: localhost", "Host: localhost", SHOWN))
                .matches("(?s)HTTP/1.1 (403|400).*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://evil.example.org", "null", "http://localhost:1", "http://localhost:7070.example.org"})
    void pagesOfOtherOriginsAreRefused(String origin) throws IOException {
        for (String method : new String[] {"GET", "POST", "DELETE", "OPTIONS"}) {
            assertThat(ask(
                            server,
                            method + " /api/locks HTTP/1.1",
                            "Host: localhost:7070",
                            "Origin: " + origin,
                            "Access-Control-Request-Method: POST",
                            SHOWN))
                    .startsWith("HTTP/1.1 403")
                    .doesNotContain("Access-Control-Allow");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void whatForeignPagesFetchWithoutAnOriginIsRefused(String site) throws IOException {
        String[] fetch = {
            "GET /api/locks HTTP/1.1",
            "Host: localhost:7070",
            "Sec-Fetch-Site: " + site,
            "Sec-Fetch-Mode: no-cors",
            SHOWN
        };
        assertThat(ask(server, fetch)).startsWith("HTTP/1.1 403").contains("forbidden-host");
        assertThat(ask(
                        server,
                        "GET / HTTP/1.1",
                        "Host: localhost:7070",
                        "Sec-Fetch-Site: " + site,
                        "Sec-Fetch-Mode: navigate"))
                .as("a link of another site")
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void itsOwnPageMayAsk() throws IOException {
        assertThat(ask(
                        server,
                        "GET /v3/api-docs HTTP/1.1",
                        "Host: localhost:7070",
                        "Origin: http://localhost:7070",
                        SHOWN))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense", ""})
    void writesMustBeCalledJson(String type) throws IOException {
        assertThat(ask(
                        server,
                        "POST /api/locks HTTP/1.1",
                        "Host: localhost",
                        "Content-Length: 0",
                        "Content-Type: " + type,
                        SHOWN))
                .startsWith("HTTP/1.1 415")
                .contains("unsupported-media-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/nowhere", "/v3/api-docs", "/lockstep/project-lock-demo/index.html"})
    void everyAnswerTellsBrowsersToTrustNothing(String path) throws IOException {
        assertThat(ask(server, "GET " + path + " HTTP/1.1", "Host: localhost"))
                .contains("Content-Security-Policy: default-src 'none'; script-src 'self';")
                .contains(path.startsWith("/lockstep/") ? "frame-ancestors 'self'" : "frame-ancestors 'none'")
                .contains("X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer")
                .contains("Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin")
                .contains("Permissions-Policy: ")
                .doesNotContain("Server: ")
                .doesNotContain("unsafe");
    }
}
