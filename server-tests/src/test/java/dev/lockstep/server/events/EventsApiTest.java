package dev.lockstep.server.events;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.server.RunningServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients that listen are told. */
@Tag("once")
@Timeout(240)
class EventsApiTest {
    private static final int LISTENERS = 3;
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static RunningServer server;

    private enum Kind implements LockKind {
        THING;

        @Override
        public String prefix() {
            return "thing";
        }

        @Override
        public int rank() {
            return 1;
        }
    }

    private final String id = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        server = RunningServer.with(
                Map.of("lockstep.server.limits.listeners", LISTENERS, "lockstep.server.limits.backlog", 50));
    }

    @BeforeEach
    void noOtherTestListens() {
        await().atMost(LONG).until(() -> server.bean(EventStreams.class).listening() == 0);
        await().atMost(LONG).until(() -> server.bean(EventLog.class).listeners() == 0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aLockIsReportedInWords() throws Exception {
        try (Listening client = listen("", "")) {
            take();
            client.awaitLine("data:.*has thing:" + id + ".*");
            client.awaitLine("data:.*released thing:" + id + ".*");
            assertThat(client.lines()).contains("event:acquired", "retry:2000");
        }
    }

    @Test
    void aClientIsRegisteredBeforeItReceivesAnything() {
        EventLog log = server.bean(EventLog.class);
        assertThat(server.bean(EventStreams.class).stream(EventId.of(null), EnumSet.allOf(EventType.class), "test")
                        .map(first -> log.listeners())
                        .blockFirst(LONG))
                .isOne();
    }

    @Test
    void onlyTheRequestedTypesAreSent() throws Exception {
        try (Listening client = listen("?types=released,alert", "")) {
            take();
            client.awaitLine("data:.*released thing:" + id + ".*");
            assertThat(client.lines()).noneMatch(line -> line.startsWith("event:acquired"));
        }
        assertThat(answer("?types=acquired,nonsense", "").statusCode()).isEqualTo(400);
        assertThat(answer("", "nonsense").statusCode()).isEqualTo(400);
    }

    @Test
    void aClientThatComesBackGetsWhatItMissed() throws Exception {
        String last;
        try (Listening client = listen("", "")) {
            take();
            last = client.awaitLine("id:.*").substring(3);
        }
        server.bean(Inventory.class).receive(StockLine.line(id, "TOKYO", 3), id);
        try (Listening client = listen("", last)) {
            client.awaitLine("data:.*receive 3 of " + id + " at TOKYO: received.*");
            assertThat(client.lines()).noneMatch(line -> line.equals("id:" + last));
            assertThat(client.lines()).noneMatch(line -> line.equals("event:gap"));
        }
        try (Listening client = listen("?lastEventId=" + last, "")) {
            client.awaitLine("data:.*receive 3 of " + id + " at TOKYO: received.*");
        }
        try (Listening client = listen("", "1-17")) {
            client.awaitLine("event:gap");
            client.awaitLine("data:.*receive 3 of " + id + " at TOKYO: received.*");
        }
    }

    @Test
    void soManyListenAndNoMoreAndOneThatVanishedMakesRoomAtOnce() throws Exception {
        List<Listening> all = new ArrayList<>();
        try {
            for (int i = 0; i < LISTENERS; i++) {
                all.add(listen("", ""));
            }
            HttpResponse<InputStream> refused = answer("", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("too-many-listeners");
            all.remove(0).close();
            await().atMost(LONG).until(() -> server.bean(EventStreams.class).listening() == LISTENERS - 1);
            all.add(listen("", ""));
        } finally {
            for (Listening each : all) {
                each.close();
            }
        }
    }

    @Test
    void aClientThatDoesNotReadLearnsOfAGap() throws Exception {
        try (Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            slow.getOutputStream()
                    .write("GET /api/events?types=alert HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            EventLog log = server.bean(EventLog.class);
            await().atMost(LONG).until(() -> log.listeners() == 1);
            String text = "x".repeat(10_000);
            for (int i = 0; i < 2_000; i++) {
                log.add(News.of(EventType.ALERT, Instant.now(), text));
            }
            log.add(News.of(EventType.ALERT, Instant.now(), "the end " + id));
            try (Listening client = new Listening(slow.getInputStream())) {
                client.awaitLine("event:gap");
                client.awaitLine(".*the end " + id + ".*");
                assertThat(client.lines()).anyMatch(line -> line.contains("this client reads too slowly"));
            }
        }
    }

    @Test
    void aRushIsReportedInPartAndSummedUp() throws Exception {
        try (Listening client = listen("?types=acquired,gap", "")) {
            Locks locks = server.bean(Locks.class);
            for (int i = 0; i < 5_000; i++) {
                locks.acquire(exclusive(key()).as("rush")).close();
            }
            client.awaitLine("data:.*more in the last second: acquired.*");
            assertThat(client.lines().stream().filter(line -> line.startsWith("data:")))
                    .hasSizeLessThan(2_500);
        }
    }

    @Test
    void contentionIsCountedBySecondAndByKey() throws Exception {
        Locks locks = server.bean(Locks.class);
        try (Lease lease = locks.acquire(exclusive(key()))) {
            assertThat(locks.acquireAsync(exclusive(key()).within(Duration.ofMillis(50))))
                    .failsWithin(LONG);
            assertThat(lease.isHeld()).isTrue();
        }
        await().atMost(LONG).untilAsserted(() -> {
            String seen = CLIENT.send(
                            HttpRequest.newBuilder(server.url("/api/contention"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            // a request that took a millisecond counts as a wait, on a slow machine also the one that was granted
            assertThat(seen)
                    .containsPattern("\"key\":\"thing:" + id
                            + "\",\"acquired\":1,\"waits\":[12],\"waitMs\":\\d+,\"longestWaitMs\":\\d+,\"timedOut\":1");
            assertThat(seen).containsPattern("\"timedOut\":1,\"failed\":0");
        });
    }

    private LockKey key() {
        return Kind.THING.key(id);
    }

    private void take() {
        server.bean(Locks.class).acquire(exclusive(key()).as("worker-3")).close();
    }

    private static Listening listen(String query, String last) throws Exception {
        HttpResponse<InputStream> answer = answer(query, last);
        assertThat(answer.statusCode()).isEqualTo(200);
        Listening client = new Listening(answer.body());
        client.awaitLine("retry:.*");
        return client;
    }

    private static HttpResponse<InputStream> answer(String query, String last) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.url("/api/events" + query));
        if (!last.isEmpty()) {
            request.header("Last-Event-ID", last);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** A client that reads on a thread of its own. */
    private static final class Listening implements AutoCloseable {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final InputStream stream;

        Listening(InputStream stream) {
            this.stream = stream;
            Thread reader = new Thread(this::read, "listening");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try {
                BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                lines.add("closed");
            }
        }

        List<String> lines() {
            return lines;
        }

        String awaitLine(String form) {
            await().atMost(LONG).until(() -> lines.stream().anyMatch(line -> line.matches(form)));
            return lines.stream().filter(line -> line.matches(form)).findFirst().orElseThrow();
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
