package dev.lockstep.redis;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Diagnoses.assertFound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.doctor.AclRule;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What docs/operations.md tells an operator of Redis to do works; its ACL rule is sent as it is written. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RedisOperationsTest {
    private static final Pattern BLOCK =
            Pattern.compile("<!-- acl: lockstep -->\\s*```text\\n(.*?)```", Pattern.DOTALL);

    private String url;

    private static String rule() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(Path.of("../docs/operations.md")));
        assertThat(block.find()).isTrue();
        return block.group(1).strip().replaceAll("\\s+", " ");
    }

    @BeforeEach
    void createUser(PrivateServer server) throws IOException {
        url = "redis://lockstep:password@127.0.0.1:" + server.port();
        try (RedisAdmin admin = new RedisAdmin(server)) {
            admin.run(rule());
        }
    }

    @Test
    void theRuleIsTheDoctorsOwn() throws IOException {
        assertThat(rule()).isEqualTo(new AclRule("lockstep", new Namespace("orders")).whole());
    }

    @Test
    void theDoctorFindsNothingMissing() {
        Diagnosis diagnosis = RedisDoctor.at(url).namespace("orders").examine();

        assertThat(diagnosis.findings())
                .as("%s", diagnosis)
                .allMatch(finding -> finding.severity() == Severity.OK || RedisDoctorTest.isSlowMachine(finding));
    }

    @Test
    void theUserLocksWaitsAndLooks() {
        try (Locks one = locks(store().createNamespace());
                Locks other = locks(store())) {
            Lease first = one.acquire(exclusive(Tenancy.USER.key("u1")));
            CompletableFuture<Lease> second = CompletableFuture.supplyAsync(
                    () -> other.acquire(exclusive(Tenancy.USER.key("u1"))), Realm.NEW_THREAD);
            await().until(() -> !one.snapshot().waiters().isEmpty());
            first.close();
            try (Lease granted = second.join()) {
                assertThat(granted.token()).isGreaterThan(first.token());
            }
        }
        Diagnosis diagnosis = RedisDoctor.at(url).namespace("orders").examine();
        assertThat(diagnosis.isHealthy()).as("%s", diagnosis).isTrue();
    }

    private RedisLockStore store() {
        return RedisLockStore.at(url).namespace("orders").answerWithin(Duration.ofSeconds(20));
    }

    private static Locks locks(RedisLockStore store) {
        return Locks.builder(store)
                .defaultTerm(Duration.ofSeconds(30))
                .defaultWait(Duration.ofMinutes(3))
                .build();
    }

    @Test
    void theUserDoesNothingElse() {
        assertFound(RedisDoctor.at(url).namespace("stock").examine(), Severity.ERROR, "may not use the keys");
        RedisClient client = RedisClient.create(url);
        try {
            assertThatThrownBy(() -> client.connect().sync().set("lockstep:{orders}", "gone"))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageContaining("NOPERM");
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
