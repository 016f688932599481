package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that was used goes on working, whatever was sent on it and whenever it was answered. */
@Tag("once")
class KeptConnectionsTest {
    private static final int CONNECTIONS = 20;
    private static final String LAST =
            "GET /problems/deadlock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String LAST_ANSWER = "deadlock (409)";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(
                Map.of("lockstep.server.limits.body", 1000, "lockstep.server.limits.connections", CONNECTIONS));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The first is answered by another thread; the second, which came early, by the thread that reads; the third comes later. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /problems/conflict HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nnull",
                "POST /api/locks HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
                "POST /api/locks HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 2\r\n\r\n{}"
            })
    void afterARequestThatCameEarly(String early) throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send("GET /api/inventory/SHIRT HTTP/1.1\r\nHost: localhost\r\n\r\n" + early);
            connection.readUntil("HTTP/1.1 ", 2);
            connection.send(LAST);
            assertThat(connection.rest()).contains(LAST_ANSWER);
        }
    }

    @Test
    void afterABodyThatIsTooLarge() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send(post("Content-Length: 100000"));
            connection.readUntil("too-large", 1);
            connection.send(" ".repeat(100_000) + LAST);
            assertThat(connection.rest()).contains(LAST_ANSWER);
        }
    }

    @Test
    void afterAnOfferToSpeakHttp2() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send(post(
                            "Connection: Upgrade, HTTP2-Settings",
                            "Upgrade: h2c",
                            "HTTP2-Settings: AAMAAABkAAQAAP__",
                            "Content-Length: 2")
                    + "{}");
            connection.readUntil("invalid-request", 1);
            connection.send(LAST);
            assertThat(connection.rest()).contains(LAST_ANSWER);
        }
    }

    @Test
    void afterABodyThatWaitedToBeAskedFor() throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            connection.send(post("Expect: 100-continue", "Content-Length: 2"));
            connection.readUntil("100 Continue\r\n\r\n", 1);
            connection.send("{}");
            connection.readUntil("invalid-request", 1);
            connection.send(LAST);
            assertThat(connection.rest()).contains(LAST_ANSWER);
        }
    }

    @Test
    void connectionsOverTheLimitAreClosedAndThoseWithinStay() throws IOException {
        List<RawConnection> open = new ArrayList<>();
        try {
            boolean accepted = true;
            while (accepted && open.size() <= CONNECTIONS) {
                RawConnection next = new RawConnection(server);
                open.add(next);
                accepted = isAnswered(next);
            }
            assertThat(accepted).as("over " + CONNECTIONS).isFalse();
            assertThat(isAnswered(open.get(0))).isTrue();
        } finally {
            for (RawConnection each : open) {
                each.close();
            }
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            try (RawConnection next = new RawConnection(server)) {
                return isAnswered(next); // there is room again, for the next test
            }
        });
    }

    private static boolean isAnswered(RawConnection connection) throws IOException {
        try {
            connection.send("GET /problems/deadlock HTTP/1.1\r\nHost: localhost\r\n\r\n");
            if (connection.read() < 0) {
                return false;
            }
            connection.readUntil("may succeed.\n", 1);
            return true;
        } catch (SocketException closed) {
            return false;
        }
    }

    private static String post(String... headers) {
        return "POST /api/locks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + String.join("\r\n", headers) + "\r\n\r\n";
    }
}
