package dev.lockstep.redis;

import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Servers that can't be reached, don't answer or refuse to write. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RedisDoctorTroubleTest {
    private static Diagnosis examine(PrivateServer server) {
        return RedisDoctor.at(server.url()).answerWithin(Duration.ofMinutes(1)).examine();
    }

    private static void assertOnlyFinding(Diagnosis diagnosis, String... words) {
        assertOnlyError(diagnosis, words);
        assertThat(diagnosis.findings()).as("%s", diagnosis).hasSize(1);
    }

    // ---- no connection

    @Test
    void aWrongPasswordIsOneFinding() {
        try (PrivateServer server = TestServers.startRedis("--requirepass", "right")) {
            String address = "127.0.0.1:" + server.port();

            assertOnlyFinding(
                    RedisDoctor.at("redis://:wrong@" + address).examine(), address, "refuses the user or the password");
            assertOnlyFinding(RedisDoctor.at("redis://" + address).examine(), "refuses the user or the password");
            assertThat(RedisDoctor.at("redis://:right@" + address).examine().isHealthy())
                    .isTrue();
        }
    }

    @Test
    void aPortWhereNothingListensIsOneFinding() {
        assertOnlyFinding(RedisDoctor.at("redis://127.0.0.1:1").examine(), "127.0.0.1:1", "Check that the server runs");
    }

    @Test
    void aHostThatDoesNotExistIsOneFinding() {
        assertOnlyFinding(RedisDoctor.at("redis://nowhere.invalid").examine(), "No connection", "nowhere.invalid:6379");
    }

    @Test
    void aServerThatStandsStillIsOneFinding(PrivateServer server) {
        server.pause();

        assertOnlyFinding(
                RedisDoctor.at(server.url())
                        .answerWithin(Duration.ofMillis(300))
                        .examine(),
                "didn't answer within 300 ms",
                "Check that the server runs");
    }

    @Test
    void aPortThatNeverSpeaksIsOneFinding() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "redis://127.0.0.1:" + mute.getLocalPort();

            assertOnlyFinding(
                    RedisDoctor.at(url).answerWithin(Duration.ofMillis(300)).examine(),
                    "didn't answer within 300 ms",
                    "one of Redis");
        }
    }

    // ---- not now

    @Test
    void aServerThatIsLoadingIsAnError() {
        try (PrivateServer server = TestServers.startRedis("--aof-use-rdb-preamble", "no");
                RedisAdmin admin = new RedisAdmin(server)) {
            admin.send("EVAL", "for i = 1, 50000 do redis.call('SET', i, i) end", "0")
                    .join();
            admin.run("CONFIG SET key-load-delay 2000");
            CompletableFuture<?> load = admin.send("DEBUG", "LOADAOF");

            await().untilAsserted(() -> assertOnlyError(examine(server), "is still loading", "Wait until it has"));
            assertThat(load).isNotDone();
        }
    }

    @Test
    void aScriptThatNeverEndsIsAnError() {
        try (PrivateServer server = TestServers.startRedis("--lua-time-limit", "20");
                RedisAdmin admin = new RedisAdmin(server)) {
            CompletableFuture<?> script = admin.send("EVAL", "while true do end", "0");

            await().untilAsserted(() -> assertOnlyError(examine(server), "busy with a script", "SCRIPT KILL"));
            assertThat(script).isNotDone();
        }
    }

    // ---- no writes

    @Test
    void tooFewReplicasToWriteAreAnError() {
        try (PrivateServer server = TestServers.startRedis("--min-replicas-to-write", "1")) {
            assertOnlyError(examine(server), "The server refuses what the store needs", "min-replicas-to-write");
        }
    }

    @Test
    void memoryThatIsUsedUpIsAnError() {
        try (PrivateServer server = TestServers.startRedis("--maxmemory", "1")) {
            assertOnlyError(examine(server), "The server refuses what the store needs", "Raise maxmemory");
        }
    }

    @Test
    void snapshotsThatFailAreAnErrorWhenTheyStopWrites() throws IOException {
        try (PrivateServer server = TestServers.startRedis("--appendonly", "no", "--save", "3600", "1");
                RedisAdmin admin = new RedisAdmin(server)) {
            remove(server.directory().resolve("data"));
            admin.run("BGSAVE");
            await().until(() -> admin.info("persistence").contains("rdb_last_bgsave_status:err"));
            Diagnosis diagnosis = examine(server);

            assertOnlyError(diagnosis, "The server refuses what the store needs", "MISCONF", "log");
            assertFound(diagnosis, Severity.WARNING, "last snapshot (BGSAVE) failed");
            admin.run("CONFIG SET stop-writes-on-bgsave-error no");
            assertThat(examine(server).isHealthy()).isTrue();
        }
    }

    static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
