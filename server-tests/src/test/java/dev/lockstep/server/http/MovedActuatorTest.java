package dev.lockstep.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;

/** Management endpoints ask for a token wherever the configuration puts them. */
@Tag("once")
class MovedActuatorTest {
    private static final String READ = "read-token-0123456789";
    private static final String ADMIN = "admin-token-0123456789";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private RunningServer start(Map<String, ?> moved) throws Exception {
        Map<String, Object> all = new HashMap<>(moved);
        all.put(
                "lockstep.server.tokens-file",
                Files.writeString(folder.resolve("tokens"), "read grafana " + READ + "\nadmin ops " + ADMIN + "\n"));
        return RunningServer.with(all);
    }

    private int get(URI address, @Nullable String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private void assertGuarded(URI address) throws Exception {
        assertThat(get(address, null)).as("%s without a token", address).isEqualTo(401);
        assertThat(get(address, READ)).as("%s with one", address).isEqualTo(200);
        assertThat(cacheControl(address)).as("caching of %s", address).isEqualTo("no-store");
    }

    private String cacheControl(URI address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Authorization", "Bearer " + READ)
                .build();
        return http.send(request, BodyHandlers.discarding())
                .headers()
                .firstValue("Cache-Control")
                .orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/lockstep", "/page", "/problems/manage"})
    void belowTheOpenFiles(String base) throws Exception {
        try (RunningServer server = start(Map.of("management.endpoints.web.base-path", base))) {
            for (String path : new String[] {"", "/prometheus", "/health", "/prometheus;x=y", "/%70rometheus"}) {
                assertThat(get(server.url(base + path), null)).as(path).isEqualTo(401);
            }
            assertGuarded(server.url(base + "/prometheus"));
            assertThat(get(server.url(base + "/health/liveness"), null)).isEqualTo(200);
            assertThat(get(server.url("/lockstep/project-lock-demo/index.html"), null))
                    .as("the files stay open")
                    .isEqualTo(200);
        }
    }

    @Test
    void eachByItself() throws Exception {
        try (RunningServer server = start(Map.of(
                "management.endpoints.web.base-path", "/",
                "management.endpoints.web.path-mapping.prometheus", "page/figures",
                "management.endpoints.web.path-mapping.env", "problems/env",
                "management.endpoints.web.exposure.include", "health, prometheus, env"))) {
            assertGuarded(server.url("/page/figures"));
            assertThat(get(server.url("/problems/env"), null)).isEqualTo(401);
            assertThat(get(server.url("/problems/env"), READ)).isEqualTo(403);
            assertThat(get(server.url("/problems/env/java.home"), READ)).isEqualTo(403);
            assertThat(get(server.url("/problems/env"), ADMIN)).isEqualTo(200);
            assertThat(get(server.url("/"), null)).as("the page").isEqualTo(200);
            assertThat(get(server.url("/health/liveness"), null)).isEqualTo(200);
        }
    }

    @Test
    void pathsWithMoreSlashesThanTheirRoutes() throws Exception {
        try (RunningServer server = start(Map.of(
                "management.endpoints.web.base-path", "/",
                "management.endpoints.web.path-mapping.health", "/healthz",
                "management.endpoints.web.path-mapping.env", "/page/env",
                "management.endpoints.web.path-mapping.beans", "beans/",
                "management.endpoints.web.exposure.include", "health, env, beans"))) {
            assertThat(get(server.url("/page/env"), null)).isEqualTo(401);
            for (String path : new String[] {"/page/env", "/beans"}) {
                assertThat(get(server.url(path), READ)).as(path).isEqualTo(403);
                assertThat(get(server.url(path), ADMIN)).as(path).isEqualTo(200);
            }
            assertThat(get(server.url("/healthz/liveness"), null)).isEqualTo(200);
        }
    }

    @Test
    void belowAnEndpointThatNeedsALowerRight() throws Exception {
        try (RunningServer server = start(Map.of(
                "management.endpoints.web.path-mapping.env", "health/env",
                "management.endpoints.web.path-mapping.beans", "health/liveness",
                "management.endpoints.web.exposure.include", "health, env, beans"))) {
            for (String path : new String[] {"/actuator/health/env", "/actuator/health/liveness"}) {
                assertThat(get(server.url(path), null)).as(path).isEqualTo(401);
                assertThat(get(server.url(path), READ)).as(path).isEqualTo(403);
            }
        }
    }

    @Test
    void aHealthGroupAtAPathOfItsOwn() throws Exception {
        try (RunningServer server = start(Map.of(
                "management.endpoint.health.group.all.include", "*",
                "management.endpoint.health.group.all.additional-path", "server:/page"))) {
            assertGuarded(server.url("/page"));
        }
    }

    @Test
    void onASeparatePort() throws Exception {
        try (RunningServer server = start(Map.of(
                "management.server.port", 0,
                "management.server.address", "127.0.0.1",
                "management.server.base-path", "/lockstep",
                "management.endpoints.web.base-path", "/page",
                "management.endpoints.web.exposure.include", "health, prometheus, env"))) {
            String port = server.bean(Environment.class).getProperty("local.management.port");
            URI base = URI.create("http://127.0.0.1:" + port + "/lockstep/page/");
            assertGuarded(base.resolve("prometheus"));
            assertGuarded(base.resolve("health"));
            assertThat(get(base.resolve("env"), READ)).isEqualTo(403);
            assertThat(get(base.resolve("health/liveness"), null)).isEqualTo(200);
        }
    }

    @Test
    void connectionsOfASeparatePortHaveLimits() throws Exception {
        try (RunningServer server = start(Map.of(
                "management.server.port", 0,
                "management.server.address", "127.0.0.1",
                "lockstep.server.limits.slowest", "500ms"))) {
            int port = Integer.parseInt(server.bean(Environment.class).getRequiredProperty("local.management.port"));
            try (Socket slow = new Socket("127.0.0.1", port)) {
                slow.setSoTimeout(60_000);
                slow.getOutputStream().write("GET /actuator/health HTTP/1.1\r\nHost: 127.0.0.1\r\n".getBytes(UTF_8));
                assertThat(slow.getInputStream().readAllBytes()).isNotNull(); // until the server closes it
            }
        }
    }

    @Test
    void aProbeByAnAddressOfTheManagementPort() throws Exception {
        try (RunningServer server = start(Map.of(
                "server.address", "127.0.0.1",
                "management.server.port", 0,
                "management.server.address", "0.0.0.0"))) {
            int port = Integer.parseInt(server.bean(Environment.class).getProperty("local.management.port"));
            String probe = "GET /actuator/health/liveness HTTP/1.1";
            assertThat(RawConnection.ask(port, probe, "Host: 10.1.2.3:" + port)).startsWith("HTTP/1.1 200");
            assertThat(RawConnection.ask(port, probe, "Host: evil.example.org")).startsWith("HTTP/1.1 403");
            assertThat(RawConnection.ask(server, probe, "Host: 10.1.2.3"))
                    .as("the server's own port")
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void whatNoRuleNamesNeedsTheHighestRight() throws Exception {
        try (RunningServer server = start(Map.of("management.endpoints.web.exposure.include", "*"))) {
            for (String id : new String[] {"beans", "mappings", "loggers", "env", "threaddump", "scheduledtasks"}) {
                assertThat(get(server.url("/actuator/" + id), READ)).as(id).isEqualTo(403);
                assertThat(get(server.url("/actuator/" + id), ADMIN)).as(id).isEqualTo(200);
            }
            for (String id : new String[] {"health", "prometheus", "metrics", "info", "locks"}) {
                assertGuarded(server.url("/actuator/" + id));
            }
        }
    }
}
