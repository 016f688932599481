package dev.lockstep.redis;

import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the doctor finds on real servers, as they were started. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
class RedisDoctorTest {
    private static Diagnosis examine(PrivateServer server) {
        return RedisDoctor.at(server.url())
                .namespace("orders")
                .answerWithin(Duration.ofMinutes(1))
                .examine();
    }

    /** Whether a finding is only that this machine is busy. */
    static boolean isSlowMachine(Finding finding) {
        return finding.what().startsWith("A round trip to the server takes ");
    }

    @Test
    void aServerWithItsDefaultsIsInOrder(PrivateServer server) {
        Diagnosis diagnosis = examine(server);

        assertThat(diagnosis.isHealthy()).as("%s", diagnosis).isTrue();
        assertThat(diagnosis.warnings()).allMatch(RedisDoctorTest::isSlowMachine);
        assertFound(diagnosis, Severity.OK, "Redis 6.2");
        assertFound(diagnosis, Severity.OK, "noeviction");
        assertFound(diagnosis, Severity.OK, "AOF", "After a restart no lock is granted for the longest term");
        assertFound(diagnosis, Severity.OK, "master without replicas");
        assertFound(diagnosis, Severity.OK, "clock agrees");
        assertFound(diagnosis, Severity.OK, "may do all");
        assertFound(diagnosis, Severity.OK, "can be heard");
    }

    @Test
    void nothingIsLeftBehindAndNothingIsDoneThatDelaysANewNamespace(PrivateServer server) {
        examine(server);

        try (RedisAdmin admin = new RedisAdmin(server)) {
            assertThat(admin.keys()).isZero();
            assertThat(admin.info("commandstats"))
                    .contains("cmdstat_hset")
                    .doesNotContain(
                            "cmdstat_config", "cmdstat_del", "cmdstat_set", "cmdstat_expire", "cmdstat_pexpire");
        }
    }

    @Test
    void settingsAreShownOnceAskingForThemHasNoEffectOnOthers() {
        try (PrivateServer server = TestServers.startRedis("--appendonly", "no", "--timeout", "300");
                RedisAdmin admin = new RedisAdmin(server)) {
            assertFound(examine(server), Severity.OK, "snapshots (RDB) at most");
            admin.run("CONFIG SET maxmemory 0");
            assertFound(examine(server), Severity.OK, "nothing on its disk");
            assertFound(examine(server), Severity.OK, "idle for 300 s");
            admin.run("CONFIG SET appendonly yes");
            assertFound(examine(server), Severity.OK, "appendfsync always");
        }
    }

    @Test
    void aMasterThatForgetsTooSoonThatItWasAReplicaIsAWarning(PrivateServer server) {
        Realm realm =
                Realm.on(server, Duration.ofSeconds(30), Duration.ofSeconds(3)).create();
        try (RedisAdmin admin = new RedisAdmin(server)) {
            admin.run("CONFIG SET repl-backlog-ttl 5");
            assertFound(
                    RedisDoctor.at(server.url()).namespace(realm.namespace()).examine(),
                    Severity.WARNING,
                    "repl-backlog-ttl is 5 s");
        }
    }

    @Test
    void evictionIsAnErrorWithAndWithoutALimit() {
        try (PrivateServer server = TestServers.startRedis("--maxmemory-policy", "allkeys-lru")) {
            assertOnlyError(examine(server), "allkeys-lru", "as soon as maxmemory is set", "noeviction");
        }
        try (PrivateServer server =
                TestServers.startRedis("--maxmemory-policy", "volatile-ttl", "--maxmemory", "100mb")) {
            assertOnlyError(examine(server), "volatile-ttl", "when memory is full");
        }
    }

    @Test
    void aReplicaIsAnErrorAndItsMasterAWarning(PrivateServer master) {
        try (PrivateServer replica =
                TestServers.startRedis("--replicaof", "127.0.0.1", Integer.toString(master.port()))) {
            await().untilAsserted(
                            () -> assertFound(examine(master), Severity.WARNING, "has replicas", "fencing token"));
            assertOnlyError(examine(replica), "is a replica", "Connect to the master at 127.0.0.1:" + master.port());
        }
    }

    @Test
    void aNodeOfAClusterIsAnError() {
        try (PrivateServer server = TestServers.startRedis("--cluster-enabled", "yes")) {
            assertOnlyError(examine(server), "Redis Cluster", "cluster-enabled no");
        }
    }

    @Test
    void aLimitOfClientsThatIsNearlyReachedIsAWarning() {
        try (PrivateServer server = TestServers.startRedis("--maxclients", "2")) {
            RedisDoctor doctor = RedisDoctor.at(server.url()).answerWithin(Duration.ofMinutes(1));
            try (RedisAdmin one = new RedisAdmin(server)) {
                assertThat(one.keys()).isZero();
                Diagnosis diagnosis = doctor.examine();
                assertFound(diagnosis, Severity.WARNING, "maxclients is 2, with 2 connected");
                assertOnlyError(diagnosis, "max number of clients", "Raise maxclients");
            }
        }
    }

    @Test
    void aClockThatIsOffIsAWarning(PrivateServer server) {
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-90));

        assertFound(
                RedisDoctor.at(server.url())
                        .answerWithin(Duration.ofMinutes(1))
                        .clock(late)
                        .examine(),
                Severity.WARNING,
                "ahead of this machine's",
                "NTP");
    }

    @Test
    void whatIsNoUrlIsRefusedWithoutRepeatingIt() {
        assertThatThrownBy(() -> RedisDoctor.at("http://user:secret@host"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("redis://user:password@host:6379")
                .hasMessageNotContaining("secret");
    }
}
