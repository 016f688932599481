package dev.lockstep.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.LockFigures;
import dev.lockstep.core.Locks;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Very many clients that wait for one lock at once, from another process. */
@Tag("slow")
@Timeout(300)
class ManyWaitersTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int WAITERS = Scale.pick(250, 1_000);
    private static final int SPARE_THREADS = 30;

    @Test
    void eachIsServedOnceAndNoneCostsAThread() throws Exception {
        try (RunningServer server = RunningServer.with(Map.of(
                        "lockstep.server.limits.longest-wait", "10m", "lockstep.server.limits.longest-lease", "10m"));
                ChildJvm crowd = ChildJvm.start(Crowd.class)) {
            Locks locks = server.bean(Locks.class);
            String gate = close(server);
            int threads = threads();
            crowd.tell("take " + server.url() + " gate:g " + WAITERS);
            await().atMost(Duration.ofMinutes(3)).until(() -> locks.figures().waiting() == WAITERS);
            assertThat(threads()).isLessThan(threads + SPARE_THREADS);
            open(server, gate);
            assertThat(crowd.answer()).isEqualTo("{give back 204=%d, take 201=%d}".formatted(WAITERS, WAITERS));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(locks.figures()).isEqualTo(new LockFigures(0, 0)));
        }
    }

    /** Takes the lock that all will wait for; answers where to give it back. */
    private static String close(RunningServer server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.url("/api/locks"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"keys\":[\"gate:g\"],\"leaseMs\":600000}"))
                .build();
        HttpResponse<String> taken = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
        return taken.headers().firstValue("Location").orElseThrow();
    }

    private static void open(RunningServer server, String gate) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.url(gate)).DELETE().build();
        assertThat(CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(204);
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
