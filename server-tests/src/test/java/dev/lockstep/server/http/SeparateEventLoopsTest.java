package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SeparateEventLoopsTest {
    @Test
    void aServerContinuesWhenAnotherInItsProcessStops() throws Exception {
        try (RunningServer first = RunningServer.with(Map.of())) {
            RunningServer.with(Map.of()).close();
            HttpRequest request =
                    HttpRequest.newBuilder(first.url("/api/status")).build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
