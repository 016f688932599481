package dev.lockstep.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiDocumentTest {
    @Test
    void isServed() throws Exception {
        try (RunningServer server = RunningServer.with(Map.of())) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(server.url("/v3/api-docs")).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"openapi\":\"3.1.0\"", "/api/locks/{leaseId}/renew");
        }
    }
}
