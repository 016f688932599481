package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.server.LockstepServer;
import dev.lockstep.server.locks.keys.KeyReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code lockstep locks --server} shows what a server sees, and says what is wrong where it can't. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class LocksOfServerTest {
    /** What looks like a placeholder is none. */
    private static final String TOKEN = "sesame-${user.name}-\\${x}";

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = LockstepServer.start(Map.of(
                "server.port",
                0,
                "lockstep.server.token",
                TOKEN,
                "spring.datasource.url",
                "jdbc:h2:mem:locks-of-server"));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static String url() {
        return "http://127.0.0.1:"
                + ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    private static Lease held(String key, String owner) {
        return context.getBean(Locks.class)
                .acquire(LockRequest.exclusive(context.getBean(KeyReader.class).parse(key))
                        .forTerm(Duration.ofMinutes(2))
                        .as(owner));
    }

    private static void assertTrouble(Run run, ExitCode code, String... said) {
        assertThat(run.err()).contains(said).startsWith("error: ").doesNotContain("\tat ", "Exception", "sesame");
        assertThat(run.code()).as(run.err()).isEqualTo(code.number());
        assertThat(run.out()).isEmpty();
    }

    @Test
    void whoHoldsWhat() {
        try (Lease lease = held("user:u1/account:a1", "billing")) {
            Run run = Run.of("locks", "--server", url(), "--token", TOKEN);
            assertThat(run.code()).as(run.all()).isZero();
            String id = lease.id().toString().substring(28);
            assertThat(run.lines())
                    .anyMatch(line -> line.matches("user:u1 +IX +billing +\\d.* s +" + id + " *"))
                    .anyMatch(line -> line.matches("user:u1/account:a1 +X +billing +\\d.* s +" + id + " *"))
                    .contains("No request waits.");
            assertThat(Run.of("locks", "--server", url() + "/", "--token", TOKEN, "--kind", "account")
                            .out())
                    .contains("1 lock is held");
        }
    }

    @Test
    void asJson() {
        try (Lease lease = held("order:o1", "sale")) {
            Run run = Run.of("locks", "--server", url(), "--token", TOKEN, "--json", "--kind", "order");
            JsonNode held = JsonMapper.shared().readTree(run.out()).at("/held/0");
            assertThat(held.at("/key").stringValue()).isEqualTo("order:o1");
            assertThat(held.at("/leaseName").stringValue()).isEqualTo(lease.id().toString());
        }
    }

    @Test
    void aTokenIsMissingOrWrong() {
        assertTrouble(Run.of("locks", "--server", url()), ExitCode.REFUSED, "wants a token", "LOCKSTEP_TOKEN");
        assertTrouble(Run.of("locks", "--server", url(), "--token", "other"), ExitCode.REFUSED, "wants another token");
        assertTrouble(Run.of("locks", "--server", url(), "--token", "a b"), ExitCode.USAGE, "without blanks");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:7070",
                "ftp://h/",
                "http://u:sesame@h/",
                "http://h/?token=sesame",
                "http:// h",
                "http:///x"
            })
    void anAddressThatIsNone(String url) {
        assertTrouble(Run.of("locks", "--server", url), ExitCode.USAGE, "such as http://127.0.0.1:7070");
    }

    @Test
    void nothingListens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertTrouble(
                Run.of("locks", "--server", "http://127.0.0.1:" + port),
                ExitCode.UNREACHABLE,
                "No server answers at http://127.0.0.1:" + port);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|<html>|is no Lockstep server: HTTP 200, text/html",
                "200|{\"holders\":[]}|is no Lockstep server",
                "200|[]|is no Lockstep server",
                "404|{\"error\":\"?\"}|is no Lockstep server: HTTP 404",
                "302|''|is no Lockstep server: HTTP 302"
            })
    void anotherProgramResponds(int status, String body, String said) throws IOException {
        try (Stranger stranger = Stranger.answering(status, body)) {
            assertTrouble(Run.of("locks", "--server", stranger.url()), ExitCode.REFUSED, said);
        }
    }

    @Test
    void theServerHasTrouble() throws IOException {
        String trouble = "{\"code\":\"store-unavailable\",\"detail\":\"The store is away.\"}";
        try (Stranger server = Stranger.answering(503, trouble)) {
            assertTrouble(
                    Run.of("locks", "--server", server.url()),
                    ExitCode.UNREACHABLE,
                    "The server says: The store is away.");
        }
    }

    @Test
    void aStoreBesideTheServer() {
        assertTrouble(Run.of("locks", "--server", url(), "--store", "memory"), ExitCode.USAGE, "Leave --store out");
        assertTrouble(
                Run.of("locks", "--store", "redis://127.0.0.1:1", "--token", "x"), ExitCode.USAGE, "Leave --token out");
    }

    /** An HTTP server that is no Lockstep server. */
    private record Stranger(HttpServer server) implements AutoCloseable {
        static Stranger answering(int status, String body) throws IOException {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.getResponseHeaders().set("Location", "/elsewhere");
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            server.start();
            return new Stranger(server);
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
