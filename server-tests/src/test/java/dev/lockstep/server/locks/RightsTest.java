package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.server.RunningServer;
import dev.lockstep.server.events.EventStreams;
import dev.lockstep.server.locks.Client.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Reading, using and administering are rights of their own. */
@Tag("once")
@ExtendWith(OutputCaptureExtension.class)
class RightsTest {
    private static final String READ = "read-token-0123456789";
    private static final String USE = "use-token-0123456789";
    private static final String OTHER = "other-token-0123456789";
    private static final String ADMIN = "admin-token-0123456789";
    private static final long LONG = 30_000;

    @TempDir
    private Path folder;

    private RunningServer server;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.with(Map.of(
                "lockstep.server.tokens-file",
                tokens("read grafana " + READ, "use shop " + USE, "use depot " + OTHER, "admin ops " + ADMIN),
                "management.endpoints.web.base-path",
                "/manage"));
    }

    private Path tokens(String... lines) throws Exception {
        return Files.writeString(folder.resolve("tokens"), "# right name token\n\n" + String.join("\n", lines) + "\n");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Client with(String token) {
        return Client.with(server, token);
    }

    @Test
    void eachRightAllowsWhatItIsFor() throws Exception {
        assertThat(Client.of(server).get("/api/locks").code()).isEqualTo("unauthorized");
        assertThat(with(READ).get("/api/locks").status()).isEqualTo(200);
        assertThat(with(READ).get("/api/status").text("right")).isEqualTo("read");
        Answer denied = with(READ).take("right:1", 0, LONG);
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.code()).isEqualTo("forbidden");
        Answer held = with(USE).take("right:1", 0, LONG);
        assertThat(held.status()).isEqualTo(201);
        assertThat(with(READ).release(held.leaseId()).status()).isEqualTo(403);
        assertThat(revoke(with(USE), held.leaseName()).code()).isEqualTo("forbidden");
        assertThat(with(USE).release(held.leaseId()).status()).isEqualTo(204);
    }

    @Test
    void movedActuatorsAskForATokenToo() throws Exception {
        for (String path : new String[] {"/manage/prometheus", "/manage/health", "/manage", "/actuator/prometheus"}) {
            assertThat(Client.of(server).get(path).status()).as(path).isEqualTo(401);
        }
        assertThat(Client.of(server).get("/manage/health/liveness").status()).isEqualTo(200);
        assertThat(with(READ).get("/manage/health").status()).isEqualTo(200);
    }

    @Test
    void anOperatorEndsALeaseAndItsHolderLearnsWhy(CapturedOutput log) throws Exception {
        Answer held = with(USE).take("stuck:1", 0, LONG);
        assertThat(revoke(with(ADMIN), held.leaseName()).status()).isEqualTo(204);
        Answer free = with(OTHER).take("stuck:1", 0, LONG);
        assertThat(free.status()).isEqualTo(201);
        Answer lost = with(USE).renew(held.leaseId(), LONG);
        assertThat(lost.status()).isEqualTo(410);
        assertThat(lost.code()).isEqualTo("lease-revoked");
        assertThat(lost.text("reason")).isEqualTo("it hangs");
        assertThat(revoke(with(ADMIN), held.leaseName()).code()).isEqualTo("unknown-lease");
        assertThat(log).contains("ops ended the lease " + held.leaseName() + " of 127.0.0.1 on [stuck:1]: it hangs");
        with(OTHER).release(free.leaseId());
    }

    private static Answer revoke(Client client, String name) throws Exception {
        return client.post("/api/admin/leases/" + name + "/revoke", "{\"reason\":\"it hangs\"}");
    }

    @Test
    void correctingStockNeedsTheHighestRightAndIsLogged(CapturedOutput log) throws Exception {
        String stock = "/api/inventory/SHIRT/TOKYO";
        assertThat(with(USE)
                        .post(stock + "/receipts", "{\"quantity\":10,\"requestId\":\"in-1\"}")
                        .status())
                .isEqualTo(201);
        String correction = "{\"quantity\":-3,\"reason\":\"3 are damaged\",\"requestId\":\"count-1\"}";
        assertThat(with(USE).post(stock + "/adjustments", correction).code()).isEqualTo("forbidden");
        assertThat(with(ADMIN).post(stock + "/adjustments", correction).status())
                .isEqualTo(201);
        assertThat(log)
                .contains("ops corrected SHIRT at TOKYO by -3 with the request count-1 (Adjusted): 3 are damaged")
                .doesNotContain("shop corrected");
    }

    @Test
    void aReaderDoesNotLearnWhichReservationsExist() throws Exception {
        String order = "{\"quantity\":1,\"requestId\":\"order-1\"}";
        with(USE).post("/api/inventory/HAT/TOKYO/receipts", order.replace("order-1", "in-2"));
        assertThat(with(USE)
                        .post("/api/inventory/HAT/TOKYO/reservations", order)
                        .status())
                .isEqualTo(201);
        for (String id : new String[] {"order-1", "order-2"}) {
            assertThat(with(READ).get("/api/inventory/reservations/" + id).code())
                    .isEqualTo("forbidden");
        }
        assertThat(with(READ).get("/api/inventory/changes/0").status()).isEqualTo(403);
        assertThat(with(USE).get("/api/inventory/changes/0").status()).isEqualTo(200);
        assertThat(with(USE).get("/api/inventory/reservations/order-1").status())
                .isEqualTo(200);
        assertThat(with(READ).get("/api/inventory/HAT").status()).isEqualTo(200);
    }

    @Test
    void tokensAreReplacedWithoutARestart() throws Exception {
        assertThat(with(READ).get("/api/locks").status()).isEqualTo(200);
        Path file = tokens("read grafana " + READ + "-new");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
        await().until(() -> with(READ + "-new").get("/api/locks").status() == 200);
        assertThat(with(READ).get("/api/locks").status()).isIn(401, 429);
        tokens("nonsense");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(with(READ + "-new").get("/api/locks").status()).isEqualTo(200);
    }

    @Test
    void aWithdrawnTokenEndsItsEventStreams() throws Exception {
        EventStreams streams = server.bean(EventStreams.class);
        CompletableFuture<Answer> withdrawn = with(READ).listen();
        CompletableFuture<Answer> kept = with(ADMIN).listen();
        await().until(() -> streams.listening() == 2);
        Path file = tokens("read grafana " + READ + "-new", "admin ops " + ADMIN);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(withdrawn).succeedsWithin(Duration.ofSeconds(60)); // nothing else asks the server meanwhile
        assertThat(kept).isNotDone();
        assertThat(streams.listening()).isOne();
        file = tokens("use ops " + ADMIN);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(kept).as("the same token with another right").succeedsWithin(Duration.ofSeconds(60));
    }

    @Test
    void aFileOfTokensThatCannotBeReadIsReportedOnceAndTheTokensStay(CapturedOutput log) throws Exception {
        Files.delete(folder.resolve("tokens"));
        await().until(() -> with(READ).get("/api/locks").status() == 200 && reports(log) == 1);
        tokens("nonsense");
        await().atMost(Duration.ofMinutes(2))
                .during(Duration.ofSeconds(3)) // it is read each second
                .until(() -> with(READ).get("/api/locks").status() == 200 && reports(log) == 2);
    }

    private static long reports(CapturedOutput log) {
        return log.getAll()
                .lines()
                .filter(line -> line.contains("The tokens stay as they were"))
                .count();
    }

    @Test
    void wrongTokensAreLoggedAndSlowedDownAndRightOnesAreNot(CapturedOutput log) throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(with("wrong-token-0123456789").get("/api/locks").status())
                    .isEqualTo(401);
        }
        assertThat(with("wrong-token-0123456789").get("/api/locks").code()).isEqualTo("too-many-attempts");
        assertThat(with(READ).get("/api/locks").status()).isEqualTo(200);
        assertThat(log).contains("A token that this server doesn't know came from 127.0.0.1");
        assertThat(log).doesNotContain("wrong-token");
    }

    @Test
    void aRequestWhoseAnswerWasLostGetsItsLeaseAgain() throws Exception {
        String body = "{\"keys\":[\"once:1\"],\"waitMs\":0,\"leaseMs\":30000,\"requestId\":\"r-1\"}";
        Answer first = with(USE).post("/api/locks", body);
        assertThat(first.status()).isEqualTo(201);
        Answer again = with(USE).post("/api/locks", body);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.leaseId()).isEqualTo(first.leaseId());
        assertThat(with(OTHER).post("/api/locks", body).code()).isEqualTo("request-id-reused");
        assertThat(with(USE)
                        .post("/api/locks", body.replace("once:1", "once:2"))
                        .code())
                .isEqualTo("request-id-reused");
        assertThat(with(USE).release(first.leaseId()).status()).isEqualTo(204);
        Answer next = with(USE).post("/api/locks", body);
        assertThat(next.leaseId()).isNotEqualTo(first.leaseId());
        with(USE).release(next.leaseId());
    }

    @Test
    void aRefusedRequestDoesntKeepItsId() throws Exception {
        Answer held = with(OTHER).take("once:3", 0, LONG);
        String body = "{\"keys\":[\"once:3\"],\"waitMs\":0,\"requestId\":\"r-3\"}";
        assertThat(with(USE).post("/api/locks", body).code()).isEqualTo("lock-timeout");
        with(OTHER).release(held.leaseId());
        Answer granted = with(USE).post("/api/locks", body);
        assertThat(granted.status()).isEqualTo(201);
        with(USE).release(granted.leaseId());
    }
}
