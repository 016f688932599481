package dev.lockstep.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How given answers of a server are judged. */
class RedisRulesTest {
    private static final String FIT = """
            # Server
            redis_version:7.2.4
            redis_mode:standalone
            run_id:0123abcd
            # Clients
            connected_clients:3
            maxclients:100
            # Memory
            used_memory:1000
            maxmemory:0
            maxmemory_policy:noeviction
            # Persistence
            rdb_last_bgsave_status:ok
            aof_enabled:0
            aof_last_write_status:ok
            # Replication
            role:master
            connected_slaves:0
            master_replid2:0000000000000000000000000000000000000000
            # Cluster
            cluster_enabled:0
            """;

    private static List<Finding> judge(String... changes) {
        Map<String, String> values = RedisServerCheck.parse(FIT);
        for (int i = 0; i < changes.length; i += 2) {
            values.put(changes[i], changes[i + 1]);
        }
        Facts facts = new Facts(values);
        List<Finding> findings = new ArrayList<>(RedisServerRule.judge(facts));
        findings.addAll(RedisMemoryRule.judge(facts));
        findings.addAll(RedisPersistenceRule.judge(facts));
        findings.addAll(RedisClientsRule.judge(facts));
        return findings;
    }

    private static void assertOne(List<Finding> findings, Severity severity, String... words) {
        assertThat(findings)
                .filteredOn(finding -> finding.severity() != Severity.OK)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(severity);
                    assertThat(finding.toString()).contains(words);
                });
    }

    @Test
    void theDefaultsAreInOrder() {
        assertThat(judge()).isNotEmpty().allMatch(finding -> finding.severity() == Severity.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "4.0.14,ERROR,too old",
        "5.0.9,WARNING,older than what was tested",
        "6.0.20,WARNING,older",
        "odd,WARNING,odd"
    })
    void oldVersionsAreNotFit(String version, Severity severity, String words) {
        assertOne(judge("redis_version", version), severity, words, "6.2");
    }

    @ParameterizedTest
    @CsvSource({"6.2.0", "6.10.0", "7.0.0", "8.2.1", "10.0.0"})
    void newVersionsAre(String version) {
        assertThat(judge("redis_version", version)).allMatch(finding -> finding.severity() == Severity.OK);
    }

    @Test
    void otherServersAreNamed() {
        assertThat(judge("server_name", "valkey", "valkey_version", "8.1.0"))
                .allMatch(finding -> finding.severity() == Severity.OK)
                .anyMatch(finding -> finding.what().contains("Valkey 8.1.0 (as Redis 7.2.4)"));
        assertOne(judge("dragonfly_version", "df-1.2"), Severity.WARNING, "Dragonfly df-1.2", "not tested");
        assertOne(judge("run_id", ""), Severity.ERROR, "no run_id");
    }

    @Test
    void onlyASingleMasterIsFit() {
        assertOne(judge("cluster_enabled", "1"), Severity.ERROR, "Cluster");
        assertOne(judge("redis_mode", "sentinel"), Severity.ERROR, "sentinel", "redis-sentinel://");
        assertOne(judge("role", "slave", "master_host", "db1", "master_port", "7"), Severity.ERROR, "master at db1:7");
        assertOne(judge("connected_slaves", "2"), Severity.WARNING, "replicas (2)", "run_id", "fencing token");
    }

    @Test
    void aServerWithWhichAFailoverCantBeRecognisedIsNotFit() {
        assertThat(judge("master_replid2", "", "dragonfly_version", "df-v1.25"))
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .singleElement()
                .satisfies(finding -> assertThat(finding.toString())
                        .contains("Dragonfly df-v1.25", "master_replid2", "Use Redis 6.2 or newer, or Valkey"));
    }

    @Test
    void aMasterWithReplicasShouldRequireSome() {
        assertOne(judge("connected_slaves", "1"), Severity.WARNING, "has replicas", "min-replicas-to-write 1");
        assertThat(judge("connected_slaves", "1", "min_slaves_good_slaves", "1").toString())
                .doesNotContain("min-replicas-to-write");
    }

    @Test
    void aMasterMustRememberForTheLongestTermThatItWasAReplica() {
        String thirtySeconds = "30000000";
        assertOne(
                judge("repl-backlog-ttl", "29", RedisServerRule.LONGEST_TERM, thirtySeconds),
                Severity.WARNING,
                "repl-backlog-ttl is 29 s",
                "longest lease term, 30 s",
                "CONFIG SET repl-backlog-ttl 3600");
        for (String enough : List.of("30", "0")) {
            assertThat(judge("repl-backlog-ttl", enough, RedisServerRule.LONGEST_TERM, thirtySeconds))
                    .allMatch(finding -> finding.severity() == Severity.OK);
        }
    }

    @Test
    void evictionAndAFullMemoryAreNotFit() {
        assertOne(judge("maxmemory_policy", "allkeys-lfu"), Severity.ERROR, "as soon as maxmemory is set");
        assertOne(judge("maxmemory_policy", "volatile-lru", "maxmemory", "9999"), Severity.ERROR, "memory is full");
        assertOne(judge("maxmemory_policy", ""), Severity.WARNING, "doesn't tell");
        assertOne(judge("maxmemory", "1100"), Severity.WARNING, "1000 of 1100");
        assertThat(judge("maxmemory", "1200")).allMatch(finding -> finding.severity() == Severity.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "0,'','',snapshots (RDB) at most",
        "0,always,'',nothing on its disk",
        "0,always,3600 1,'snapshots (RDB, save 3600 1)'",
        "1,'','',every change in a file (AOF).",
        "1,everysec,'','AOF, appendfsync everysec'"
    })
    void whatARestartLeavesIsSaid(String aof, String sync, String save, String words) {
        assertThat(judge("aof_enabled", aof, "appendfsync", sync, "save", save))
                .allMatch(finding -> finding.severity() == Severity.OK)
                .anyMatch(finding ->
                        finding.what().contains(words) && finding.whatToDo().contains("longest term"));
    }

    @Test
    void aDiskThatCannotBeWrittenIsNotFit() {
        assertOne(judge("aof_last_write_status", "err"), Severity.ERROR, "append-only file");
        assertOne(judge("rdb_last_bgsave_status", "err"), Severity.WARNING, "BGSAVE");
    }

    @Test
    void nearlyAsManyClientsAsThereMayBeAreAWarning() {
        assertOne(judge("connected_clients", "90"), Severity.WARNING, "maxclients is 100, with 90");
        assertThat(judge("connected_clients", "89", "timeout", "60"))
                .allMatch(finding -> finding.severity() == Severity.OK)
                .anyMatch(finding -> finding.what().contains("60 s"));
    }

    @Test
    void oddAnswersAreNoReasonToFail() {
        Facts odd =
                new Facts(RedisServerCheck.parse("<html>\n:\n#a:b\nmaxclients:many\nredis_version:99999999999.1\r\n"));

        assertThat(RedisServerRule.judge(odd)).isNotEmpty();
        assertThat(RedisMemoryRule.judge(odd)).hasSize(1);
        assertThat(RedisPersistenceRule.judge(odd)).isEmpty();
        assertThat(RedisClientsRule.judge(odd)).isEmpty();
        assertThatThrownBy(() -> RedisClockCheck.instant(List.of("later"))).hasMessageContaining("[later]");
    }

    @Test
    void eachReasonWhyThereIsNoAnswerHasAWayOut() {
        assertThat(noAnswer("LOADING Redis is loading")).contains("still loading");
        assertThat(noAnswer("BUSY Redis is busy")).contains("SCRIPT KILL");
        assertThat(noAnswer("DENIED Redis is running in protected mode")).contains("Give the server a password");
        assertThat(noAnswer("Command timed out after 3 second(s)")).contains("didn't answer within 3000 ms");
        assertThat(noAnswer("NOAUTH Authentication required")).contains("refuses the user or the password");
        assertThat(noAnswer("Connection reset")).contains("Check that the server runs");
    }

    private static String noAnswer(String said) {
        Exception wrapped = new IllegalStateException("wrapped", new IllegalStateException(said));
        return ConnectionFailure.finding("db1:6379", Duration.ofSeconds(3), wrapped)
                .toString();
    }
}
