package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Nobody but its owner renews or releases a lease, whatever others see or guess. */
@Tag("once")
@ExtendWith(OutputCaptureExtension.class)
class LeaseOwnershipTest {
    private static final long LONG = 60_000;

    private static RunningServer server;
    private static Client owner;
    private static Client other;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of("lockstep.server.limits.longest-lease", "60s"));
        owner = Client.of(server);
        other = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whatOthersSeeCanNeitherRenewNorRelease() throws Exception {
        Answer held = owner.take("owned:1", 0, LONG);
        CompletableFuture<Answer> waiting = other.startTaking("owned:1", LONG, LONG);
        await().until(() -> listed("waiters") == 1);
        String refusal = other.take("owned:1", 0, LONG).raw().body();
        String list = other.get("/api/locks").raw().body();
        String graph = other.get("/api/locks/graph").raw().body();
        String events = eventsWith(held.leaseName());
        String secret = held.leaseId().substring(held.leaseName().length());
        assertThat(secret).hasSize(23);
        for (String shown : new String[] {refusal, list, graph, events}) {
            assertThat(shown).doesNotContain(secret).doesNotContain(held.leaseId());
        }
        assertThat(list).contains(held.leaseName());
        assertThat(refusal).contains("\"leaseName\":\"" + held.leaseName() + "\"");
        assertThat(graph).contains(held.leaseName());

        String blocker = other.get("/api/locks?key=owned:1")
                .body()
                .path("holders")
                .get(0)
                .path("leaseName")
                .asString();
        assertThat(other.release(blocker).code()).isEqualTo("not-owner");
        assertThat(other.renew(blocker, LONG).code()).isEqualTo("not-owner");
        assertThat(listed("holders")).isOne();

        assertThat(owner.renew(held.leaseId(), LONG).status()).isEqualTo(200);
        assertThat(owner.release(held.leaseId()).status()).isEqualTo(204);
        other.release(waiting.join().leaseId());
    }

    @Test
    void aNeighboursIdCantBeGuessed() throws Exception {
        Answer mine = other.take("guess:mine", 0, LONG);
        Answer held = owner.take("guess:1", 0, LONG);
        String mySecret = mine.leaseId().substring(mine.leaseName().length());
        assertThat(other.release(held.leaseName() + mySecret).code()).isEqualTo("not-owner");
        assertThat(other.renew(held.leaseName() + mySecret, LONG).status()).isEqualTo(403);
        UUID next = new UUID(
                LeaseId.read(mine.leaseId()).orElseThrow().lease().getMostSignificantBits(),
                LeaseId.read(mine.leaseId()).orElseThrow().lease().getLeastSignificantBits() + 0x400);
        assertThat(other.release(mine.leaseName().split("\\.", -1)[0] + "." + next + mySecret)
                        .status())
                .isIn(403, 410);
        assertThat(owner.release(held.leaseId()).status()).isEqualTo(204);
        assertThat(other.release(mine.leaseId()).status()).isEqualTo(204);
    }

    @Test
    void noSecretStandsInTheLog(CapturedOutput log) throws Exception {
        Answer held = owner.take("unlogged:1", 0, LONG);
        other.release(held.leaseName());
        owner.release(held.leaseId());
        assertThat(log).doesNotContain(held.leaseId().substring(held.leaseName().length()));
        assertThat(LeaseId.read(held.leaseId()).orElseThrow()).hasToString(held.leaseName());
    }

    @Test
    void othersSeeAReservationByANameThatCantCancelIt() throws Exception {
        owner.post("/api/inventory/SECRET-1/TOKYO/receipts", "{\"quantity\":5,\"requestId\":\"delivery-77\"}");
        Answer reserved = owner.post(
                "/api/inventory/SECRET-1/TOKYO/reservations", "{\"quantity\":2,\"requestId\":\"order-of-owner-77\"}");
        assertThat(reserved.status()).isEqualTo(201);
        owner.post(
                "/api/inventory/SECRET-1/TOKYO/shipments",
                "{\"reservationId\":\"order-of-owner-77\",\"requestId\":\"ship-of-owner-77\"}");
        assertThat(other.delete("/api/inventory/reservations/order-of-owner-77").status())
                .isEqualTo(409);
        String events = eventsWith("cancel #");
        assertThat(events).contains("ship #").doesNotContain("owner-77");
        assertThat(other.get("/api/inventory").raw().body()).doesNotContain("owner-77");
    }

    private static long listed(String what) throws Exception {
        return other.get("/api/locks?key=owned:1").body().path(what).size();
    }

    /** All events up to the first with this text. */
    private static String eventsWith(String text) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(server.url("/api/events?lastEventId=0")).build();
        StringBuilder told = new StringBuilder();
        try (Stream<String> lines =
                other.http().send(request, BodyHandlers.ofLines()).body()) {
            for (Iterator<String> each = lines.iterator(); !told.toString().contains(text); ) {
                told.append(each.next()).append('\n');
            }
        }
        return told.toString();
    }
}
