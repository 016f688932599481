package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Clients that send slowly or vanish: their connections end, and the others notice nothing. */
@Tag("once")
class SlowClientsTest {
    private static final String POST =
            "POST /api/locks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "lockstep.server.limits.slowest", "1s",
                "lockstep.server.limits.idle", "2s"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void theServerIsWell() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(
                                RawConnection.ask(server, "GET /actuator/health/liveness HTTP/1.1", "Host: localhost"))
                        .contains("UP"));
    }

    @Test
    void silenceIsNotWaitedFor() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            assertThat(connection.rest()).isEmpty();
        }
    }

    @Test
    void halfAHeaderIsNotWaitedFor() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send("GET /v3/api-docs HTTP/1.1\r\nHost: loc");
            assertThat(connection.rest()).isEmpty();
        }
    }

    @Test
    void aHeaderThatComesByteByByteIsNotWaitedFor() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send("GET /v3/api-docs HTTP/1.1\r\nX: ");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        try {
                            connection.send("x");
                            return false;
                        } catch (SocketException closed) {
                            return true;
                        }
                    });
        }
    }

    @Test
    void theSecondRequestOfAConnectionIsNotWaitedForEither() throws IOException {
        try (RunningServer patient = RunningServer.with(Map.of("lockstep.server.limits.slowest", "3s"));
                RawConnection connection = new RawConnection(patient)) {
            connection.send("GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(connection.read()).isEqualTo('H');
            connection.send("GET /actuator/health/liveness HTTP/1.1\r\nHo");
            assertThat(connection.rest()).containsOnlyOnce("{\"status\":\"UP\"}");
        }
    }

    @Test
    void halfABodyIsNotWaitedFor() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send(POST + "Content-Length: 100\r\n\r\n{\"keys\":[\"user:u");
            assertThat(connection.rest()).doesNotContain("HTTP/1.1 2").doesNotContain("HTTP/1.1 5");
        }
    }

    @Test
    void aBodyThatNeverEndsIsRefused() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "1000\r\n" + " ".repeat(0x1000) + "\r\n";
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        try {
                            connection.send(chunk);
                            return false;
                        } catch (SocketException closed) {
                            return true;
                        }
                    });
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void clientsThatVanishAnywhereLeaveNothing(CapturedOutput log) throws IOException {
        String request = POST + "Content-Length: 60\r\n\r\n"
                + "{\"keys\":[\"user:vanish\"],\"waitMs\":0,\"leaseMs\":100}            ";
        for (int cut = 1; cut < request.length(); cut += 7) {
            try (RawConnection connection = new RawConnection(server)) {
                connection.send(request.substring(0, cut));
                connection.vanish();
            }
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> server.bean(dev.lockstep.core.Locks.class)
                        .snapshot()
                        .holders()
                        .isEmpty());
        assertThat(log.getAll())
                .as("a client's going is no error of the server's")
                .doesNotContain("ERROR");
    }
}
