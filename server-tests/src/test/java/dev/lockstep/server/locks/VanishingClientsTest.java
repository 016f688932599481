package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import dev.lockstep.testservers.Scale;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** Clients that go away leave no place in a queue and no lease behind. */
class VanishingClientsTest {
    private static final long LONG = 60_000;

    private static RunningServer server;
    private static Client client;
    private static Locks locks;

    @BeforeAll
    static void start() {
        server = RunningServer.with(
                Map.of("spring.webflux.problemdetails.enabled", true, "lockstep.server.limits.longest-lease", "60s"));
        client = Client.of(server);
        locks = server.bean(Locks.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aClientThatVanishesWhileWaitingLosesItsPlaceAtOnce() throws Exception {
        Answer held = client.take("gone:1", 0, LONG);
        List<Socket> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.add(ask("gone:1", LONG, LONG));
        }
        await().untilAsserted(() -> assertThat(locks.figures().waiting()).isEqualTo(20));
        for (Socket waiter : waiters) {
            waiter.close();
        }
        await().untilAsserted(() -> assertThat(locks.figures().waiting()).isZero());
        await().untilAsserted(() -> assertThat(locks.snapshot().waiters()).isEmpty());
        await().until(() -> server.bean(WaitingRoom.class).size() == 0);
        assertThat(client.release(held.leaseId()).status()).isEqualTo(204);
        awaitNothingHeld();
    }

    @Test
    void aLeaseThatIsGrantedWhileItsClientVanishesIsReleased() {
        Desk desk = server.bean(Desk.class);
        VanishedClients filter = server.bean(VanishedClients.class);
        AskReader reader = server.bean(AskReader.class);
        Ask ask =
                reader.read(new AcquireRequest(List.of("race:1"), null, LONG, LONG, "vanishing", null), "test", "test");
        LockRequest holding = ask.request().as("holding");
        Random random = new Random(7);
        for (int i = 0; i < Scale.pick(100, 4_000); i++) {
            Lease held = locks.acquire(holding);
            MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post("/api/locks"));
            Handover handover = new Handover();
            exchange.getAttributes().put(Handover.ATTRIBUTE, handover);
            Disposable request = filter.filter(
                            exchange,
                            any -> desk.acquire(ask, handover)
                                    .publishOn(Schedulers.parallel()) // a moment passes before the answer is written
                                    .flatMap(answer -> exchange.getResponse().setComplete()))
                    .subscribe();
            held.release();
            spin(random.nextInt(100_000));
            request.dispose();
            awaitNothingHeldExcept(() -> {
                if (exchange.getResponse().isCommitted()) { // the client has it
                    handover.abandon().ifPresent(desk::giveBack);
                }
            });
        }
    }

    /** Too short to sleep. */
    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void afterARandomMixNothingIsHeldAndNothingWaits() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(8);
        List<Future<?>> runs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int seed = i;
            runs.add(clients.submit(() -> {
                mix(new Random(seed));
                return true;
            }));
        }
        for (Future<?> run : runs) {
            run.get();
        }
        clients.shutdown();
        awaitNothingHeld();
        await().untilAsserted(
                        () -> { // both hear of an end after it
                            assertThat(server.bean(WaitingRoom.class).size()).isZero();
                            assertThat(server.bean(Desk.class).lastEnd()).isEmpty();
                        });
    }

    private static void mix(Random random) throws Exception {
        for (int i = 0; i < Scale.pick(25, 500); i++) {
            String key = "mix:" + random.nextInt(3) + (random.nextBoolean() ? "" : "/part:" + random.nextInt(3));
            if (random.nextInt(3) == 0) {
                Socket vanishing = ask(key, 2_000, 500);
                spin(random.nextInt(3_000_000));
                vanishing.close();
                continue;
            }
            Answer lease = client.take(key, random.nextInt(50), 2_000);
            assertThat(lease.status()).isIn(201, 409);
            if (lease.status() == 201 && random.nextBoolean()) {
                assertThat(client.renew(lease.leaseId(), 2_000).status()).isIn(200, 410);
            }
            if (lease.status() == 201 && random.nextInt(4) > 0) {
                assertThat(client.release(lease.leaseId()).status()).isIn(204, 410);
            }
        }
    }

    private static void awaitNothingHeld() {
        awaitNothingHeldExcept(() -> {});
    }

    private static void awaitNothingHeldExcept(Runnable givingBack) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> {
                    givingBack.run();
                    assertThat(locks.snapshot().holders()).isEmpty();
                    assertThat(locks.snapshot().waiters()).isEmpty();
                });
    }

    /** Sends a request, and leaves the answer alone. */
    private static Socket ask(String key, long waitMs, long leaseMs) throws IOException {
        byte[] body = Client.body(key, waitMs, leaseMs).getBytes(StandardCharsets.UTF_8);
        String head = "POST /api/locks HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
        return socket;
    }
}
