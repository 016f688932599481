package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code lockstep locks} shows the locks of other processes, although its own process has declared no kinds. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class LocksCommandTest {
    private static final String[] KINDS = {"user:0", "account:1:user", "resource:2:account:leaf"};
    private static final String HELD = "user:u1/account:a1/resource:r1";

    @Test
    void ofMysql() throws Exception {
        try (TestDatabase database = TestServers.mysql().freshDatabase()) {
            provision(database);
            showsOthers(database);
        }
    }

    @Test
    void ofMariadb() throws Exception {
        try (PrivateServer server = TestServers.startMariadb(
                "--performance-schema=ON", "--performance-schema-consumer-events-statements-current=ON")) {
            try (TestDatabase database = server.freshDatabase()) {
                provision(database);
                showsOthers(database);
            }
        }
    }

    @Test
    void ofPostgres() throws Exception {
        try (TestDatabase database = TestServers.postgres().freshDatabase()) {
            showsOthers(database);
        }
    }

    @Test
    void ofRedis() throws Exception {
        TestServer server = TestServers.redis();
        String namespace = "locks-" + UUID.randomUUID();
        try (RedisLockStore created = RedisLockStore.at(server.url())
                        .namespace(namespace)
                        .answerWithin(Duration.ofSeconds(60))
                        .createNamespace();
                ChildJvm holder = LockingChild.start(server.url(), "", "", namespace, KINDS);
                ChildJvm waiter = LockingChild.start(server.url(), "", "", namespace, KINDS)) {
            holdAndWait(holder, waiter);
            assertShown("--store", server.url(), "--namespace", namespace);
            assertThat(created.removeNamespace()).as("someone is in it").isFalse();
        }
    }

    private static void provision(TestDatabase database) {
        Run run = Run.of(StoreArgs.of(
                database,
                "provision",
                "--buckets",
                "1000",
                "--kind",
                KINDS[0],
                "--kind",
                KINDS[1],
                "--kind",
                KINDS[2]));
        assertThat(run.code()).as(run.all()).isZero();
    }

    private static void showsOthers(TestDatabase database) throws Exception {
        try (ChildJvm holder = LockingChild.start(database.jdbcUrl(), database.user(), database.password(), "", KINDS);
                ChildJvm waiter =
                        LockingChild.start(database.jdbcUrl(), database.user(), database.password(), "", KINDS)) {
            holdAndWait(holder, waiter);
            assertShown(StoreArgs.of(database));
        }
    }

    private static void holdAndWait(ChildJvm holder, ChildJvm waiter) throws Exception {
        assertThat(holder.ask("hold " + HELD + " billing-worker")).isEqualTo("done");
        assertThat(waiter.ask("queue user:u1/account:a1 nightly-close")).isEqualTo("done");
    }

    private static void assertShown(String... store) {
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertTable(run(store)));
        assertJson(JsonMapper.shared().readTree(run(store, "--json").out()));
        Run accounts = run(store, "--kind", "account");
        assertThat(accounts.out()).contains("1 lock is held", "1 request waits").doesNotContain("resource:r1");
        Run unknown = run(store, "--kind", "cube");
        if (String.join(" ", store).contains("postgresql")) { // which keeps no record of kinds
            assertThat(unknown.out()).startsWith("No lock is held");
        } else {
            assertThat(unknown.code()).isEqualTo(ExitCode.USAGE.number());
            assertThat(unknown.err()).contains("--kind cube is not known there", "account, resource, user");
        }
    }

    private static Run run(String[] store, String... more) {
        String[] args = new String[1 + store.length + more.length];
        args[0] = "locks";
        System.arraycopy(store, 0, args, 1, store.length);
        System.arraycopy(more, 0, args, 1 + store.length, more.length);
        return Run.of(args);
    }

    private static void assertTable(Run run) {
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(run.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
        assertThat(run.lines())
                .anyMatch(line -> line.matches("user:u1 +IX +billing-worker +\\d.* s +[0-9a-f]{8}  .*"))
                .anyMatch(line -> line.matches(HELD + " +X +billing-worker .*LockingChild.*"))
                .contains("1 request waits:")
                .anyMatch(line -> line.matches("user:u1/account:a1 +X +nightly-close .*billing.*"));
    }

    private static void assertJson(JsonNode look) {
        assertThat(look.at("/held")).hasSize(4); // who waits for the account has the user already
        assertThat(look.at("/held/3/key").stringValue()).isEqualTo(HELD);
        assertThat(look.at("/held/3/callSite").stringValue()).contains("LockingChild.java");
        JsonNode waiter = look.at("/waiting/0");
        assertThat(waiter.at("/owner").stringValue()).isEqualTo("nightly-close");
        assertThat(waiter.at("/behind/0/owner").stringValue()).isEqualTo("billing-worker");
        assertThat(waiter.at("/behind/0/leaseName")).isEqualTo(look.at("/held/3/leaseName"));
    }

    @Test
    void saysWhyASightIsPartial() throws Exception {
        try (TestDatabase database = TestServers.mariadb().freshDatabase()) {
            provision(database);
            Run run = Run.of(StoreArgs.of(database, "locks"));
            assertThat(run.code()).isEqualTo(ExitCode.UNSEEN.number());
            assertThat(run.out()).startsWith("No lock can be seen here").doesNotContain("No lock is held");
            assertThat(JsonMapper.shared()
                            .readTree(Run.of(StoreArgs.of(database, "locks", "--json"))
                                    .out())
                            .at("/complete")
                            .booleanValue())
                    .isFalse();
            assertThat(run.err())
                    .contains("! Lock visibility is partial. performance_schema is OFF", "performance_schema=ON");
        }
    }

    @Test
    void aNamespaceThatRedisDoesntKnowIsAnError() {
        Run run = Run.of("locks", "--store", TestServers.redis().url(), "--namespace", "misspelt");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("Redis knows no namespace 'misspelt'");
    }

    @Test
    void memoryHasNothingToShow() {
        Run run = Run.of("locks", "--store", "memory");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("only inside the process that holds them", "locks.snapshot()");
    }
}
