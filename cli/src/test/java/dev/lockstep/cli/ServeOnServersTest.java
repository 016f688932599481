package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code lockstep serve} on real servers. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class ServeOnServersTest {
    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void ownFolder() throws Exception {
        folder = Files.createDirectory(temporary.resolve("run"));
    }

    /** As anybody sees it: by the server, and by the store that it is on. */
    private static void assertSeen(ServeProcess process, String[] locksOfStore) throws Exception {
        String body = "{\"keys\":[\"user:u1\"],\"owner\":\"me\",\"leaseMs\":30000}";
        assertThat(process.post("api/locks", body).statusCode()).isEqualTo(201);
        assertThat(Run.of("locks", "--server", process.ready().toString()).lines())
                .anyMatch(line -> line.matches("user:u1 +X +me .*"));
        assertThat(Run.of(locksOfStore).lines()).anyMatch(line -> line.matches("user:u1 +X +me .*"));
    }

    @Test
    void postgresqlHasLocksAndStock() throws Exception {
        try (TestDatabase database = TestServers.postgres().freshDatabase();
                ServeProcess process = ServeProcess.start(folder, StoreArgs.of(database, "--kind", "user:0"))) {
            assertSeen(process, StoreArgs.of(database, "locks"));
            assertThat(process.post("api/inventory/MUG/TOKYO/receipts", "{\"quantity\":5,\"requestId\":\"r\"}")
                            .statusCode())
                    .isEqualTo(201);
            assertThat(folder).isEmptyDirectory();
            process.interrupt();
            assertThat(process.ended().code()).isEqualTo(ExitCode.INTERRUPTED.number());
        }
    }

    @Test
    void redisHasLocks() throws Exception {
        String url = TestServers.redis().url();
        String namespace = "serve-" + UUID.randomUUID();
        try (RedisLockStore redis = RedisLockStore.at(url).namespace(namespace)) {
            redis.createNamespace(); // else it grants nothing until the longest lease has passed
        }
        String[] store = {"--store", url, "--namespace", namespace};
        try (ServeProcess process = ServeProcess.start(folder, store)) {
            assertSeen(process, new String[] {"locks", store[0], store[1], store[2], store[3]});
            assertThat(process.get("api/status").body()).contains("\"redis\"");
        }
    }

    @Test
    void onMysqlKindsAreNeeded() throws Exception {
        try (TestDatabase database = TestServers.mysql().freshDatabase()) {
            Run run = Run.of(StoreArgs.of(database, "serve", "--port", "0"));
            assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.USAGE.number());
            assertThat(run.err())
                    .contains("Write --kind for each", "with --provision")
                    .doesNotContain("\tat ");
        }
    }
}
