package dev.lockstep.server.client;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lockstep.client.HttpLockStore;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.testkit.Tenancy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewals of many leases in one call, at a server that fails to renew some of them. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ClientRenewalTest {
    private static final int LEASES = 40;
    private static final Duration TERM = Duration.ofMinutes(5);

    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final Set<String> gone = ConcurrentHashMap.newKeySet();
    private final Set<String> renewed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger granted = new AtomicInteger();

    private HttpServer server;
    private HttpLockStore client;
    private Locks locks;
    private GrantsSeen seen;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::respond);
        server.start();
        client = HttpLockStore.at("http://127.0.0.1:" + server.getAddress().getPort())
                .answerWithin(Duration.ofMinutes(1));
        seen = new GrantsSeen(client);
        locks = Locks.builder(seen).defaultTerm(TERM).build();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        locks.close();
    }

    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (!path.endsWith("/renew")) {
            int number = granted.getAndIncrement();
            send(
                    exchange,
                    201,
                    "{\"leaseId\":\"%1$d\",\"leaseName\":\"node%2$d.x\",\"token\":\"1.%3$d\"}"
                            .formatted(number, number % 2, number + 1));
            return;
        }
        String lease = path.replaceAll(".*/([^/]+)/renew", "$1");
        if (failing.contains(lease)) {
            send(exchange, 503, "{\"code\":\"store-unavailable\",\"retryable\":true,\"detail\":\"no\"}");
        } else if (gone.contains(lease)) {
            send(exchange, 410, "{\"code\":\"lease-expired\"}");
        } else {
            renewed.add(lease);
            send(exchange, 200, "{}");
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private List<Renewal> renewals() {
        for (int i = 0; i < LEASES; i++) {
            assertThat(locks.acquireAsync(exclusive(Tenancy.user("u" + i)))
                            .join()
                            .isHeld())
                    .isTrue();
        }
        return seen.grants.stream().map(grant -> new Renewal(grant, TERM)).toList();
    }

    @Test
    void aLeaseThatIsNotRenewedCostsNoOtherOne() {
        List<Renewal> all = renewals();
        renewed.clear();
        failing.add("0");
        assertThatThrownBy(() -> client.renew(all)).isInstanceOf(LockException.class);
        assertThat(renewed).hasSize(LEASES - 1);
    }

    @Test
    void leasesThatAreGoneAreNamed() {
        List<Renewal> all = renewals();
        gone.addAll(Set.of("1", "30"));
        assertThat(client.renew(all))
                .containsExactlyInAnyOrder(all.get(1).grant(), all.get(30).grant());
    }

    @Test
    void leasesOfOneNodeAreRenewedTogether() {
        List<Renewal> all = renewals();
        assertThat(all.stream().map(each -> client.renewedWith(each.grant())).distinct())
                .hasSize(2);
    }

    /** The client's store, with what it was granted. */
    private static final class GrantsSeen extends StoreAround {
        private final LockStore inner;
        private final List<StoreGrant> grants = new CopyOnWriteArrayList<>();

        GrantsSeen(LockStore inner) {
            super(inner);
            this.inner = inner;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            StoreAnswer answer = inner.acquire(request);
            grants.add((StoreGrant) answer);
            return answer;
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return inner.renew(renewals);
        }

        @Override
        public boolean release(StoreGrant grant) {
            return true;
        }
    }
}
