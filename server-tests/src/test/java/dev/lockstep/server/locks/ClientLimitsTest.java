package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.Client.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One client can't take everything that a server has for all. */
@Tag("once")
class ClientLimitsTest {
    private static final String ONE = "token-of-one-0123456789";
    private static final String TWO = "token-of-two-0123456789";
    private static final long LONG = 30_000;

    @TempDir
    private Path folder;

    private RunningServer start(Map<String, Object> limits) throws Exception {
        Path tokens = Files.writeString(folder.resolve("tokens"), "use one " + ONE + "\nuse two " + TWO + "\n");
        Map<String, Object> all = new java.util.HashMap<>(limits);
        all.put("lockstep.server.tokens-file", tokens);
        all.put("lockstep.server.limits.per-client", 50);
        return RunningServer.with(all);
    }

    @Test
    void aClientMayHaveItsShareOfTheLeases() throws Exception {
        try (RunningServer server = start(Map.of("lockstep.server.limits.leases", 4))) {
            Client one = Client.with(server, ONE);
            Answer first = one.take("share:1", 0, LONG);
            assertThat(one.take("share:2", 0, LONG).status()).isEqualTo(201);
            Answer refused = one.take("share:3", 0, LONG);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("too-many-leases");
            assertThat(refused.raw().headers().firstValue("Retry-After")).contains("1");
            assertThat(Client.with(server, TWO).take("share:3", 0, LONG).status())
                    .isEqualTo(201);
            assertThat(one.release(first.leaseId()).status()).isEqualTo(204);
            assertThat(one.take("share:4", 0, LONG).status())
                    .as("a released lease makes room")
                    .isEqualTo(201);
            for (int i = 0; i < 5; i++) { // refusals give their places back
                assertThat(Client.with(server, TWO).take("share:4", 0, LONG).code())
                        .isEqualTo("lock-timeout");
            }
        }
    }

    @Test
    void keysTakeNoMoreMemoryThanAllowed() throws Exception {
        try (RunningServer server = start(Map.of("lockstep.server.limits.lease-bytes", "8KB"))) {
            Client one = Client.with(server, ONE);
            assertThat(one.take("bytes:1", 0, LONG).status()).isEqualTo(201);
            Answer refused = one.take("bytes:" + "x".repeat(200) + "/part:" + "y".repeat(1_500), 0, LONG);
            assertThat(refused.code()).as(refused.raw().body()).isIn("too-many-leases", "invalid-request");
            Answer many = one.post("/api/locks", keys());
            assertThat(many.code()).isEqualTo("too-many-leases");
            assertThat(many.text("detail")).contains("lease-bytes");
        }
    }

    private static String keys() {
        StringBuilder keys = new StringBuilder("\"bytes:a\"");
        for (int i = 0; i < 99; i++) {
            keys.append(",\"bytes:").append("z".repeat(60)).append(i).append('"');
        }
        return "{\"keys\":[" + keys + "],\"waitMs\":0}";
    }
}
