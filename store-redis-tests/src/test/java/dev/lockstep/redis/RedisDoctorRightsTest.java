package dev.lockstep.redis;

import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.doctor.AclRule;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor finds when its user may not do everything. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RedisDoctorRightsTest {
    private static final AclRule RULE = new AclRule("app", new Namespace("orders"));

    private PrivateServer server;
    private RedisAdmin admin;

    @BeforeEach
    void start(PrivateServer own) {
        server = own;
        admin = new RedisAdmin(server);
        admin.run(RULE.whole());
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(admin.keys()).isZero();
        admin.close();
    }

    private Diagnosis examine() {
        String url = "redis://app:password@127.0.0.1:" + server.port();
        return RedisDoctor.at(url)
                .namespace("orders")
                .answerWithin(Duration.ofMinutes(1))
                .examine();
    }

    @Test
    void theRuleThatTheDoctorWritesIsEnough() {
        Diagnosis diagnosis = examine();

        assertThat(diagnosis.errors()).as("%s", diagnosis).isEmpty();
        assertThat(diagnosis.warnings()).allMatch(RedisDoctorTest::isSlowMachine);
    }

    @Test
    void withoutInfoRestartsCannotBeSeen() {
        admin.run("ACL SETUSER app -info");
        Diagnosis diagnosis = examine();

        assertOnlyError(diagnosis, "may not run INFO", "restarted and forgot locks", "+info");
        assertFound(diagnosis, Severity.WARNING, "server's state can't be examined", "Allow the user +info");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time",
                "exists",
                "hget",
                "hmget",
                "hlen",
                "hgetall",
                "hscan",
                "hset",
                "hdel",
                "hincrby",
                "zadd",
                "zrem",
                "zrange",
                "zrank",
                "sadd",
                "srem",
                "smembers",
                "evalsha"
            })
    void eachCommandThatIsMissingIsNamed(String command) {
        admin.run("ACL SETUSER app +acl|whoami -" + command);

        assertOnlyError(
                examine(),
                "may not run " + command.toUpperCase(Locale.ROOT) + ", which",
                "ACL SETUSER app +" + command + ";");
    }

    @Test
    void withoutScriptsNothingElseCanBeTried() {
        admin.run("ACL SETUSER app -eval");

        assertOnlyError(examine(), "may not run EVAL", "+eval");
    }

    @Test
    void keysOfAnotherNamespaceAreNotEnough() {
        admin.run("ACL SETUSER app resetkeys ~lockstep:{stock}*");

        assertOnlyError(examine(), "may not use the keys", "lockstep:{orders}*", "~lockstep:{orders}*");
    }

    @Test
    void allKeysButTheMemoryAreNotEnough() {
        admin.run("ACL SETUSER app resetkeys ~lockstep:{orders}:*");

        assertOnlyError(examine(), "may not use the keys");
    }

    @Test
    void withoutHintsLocksWork() {
        admin.run("ACL SETUSER app -publish -subscribe");
        Diagnosis diagnosis = examine();

        assertThat(diagnosis.isHealthy()).as("%s", diagnosis).isTrue();
        assertFound(diagnosis, Severity.WARNING, "may not send hints", "up to a second later", "+publish");
        assertFound(diagnosis, Severity.WARNING, "may not hear hints", "+subscribe");
    }

    @Test
    void channelsOfAnotherNamespaceAreNotEnoughForHints() {
        admin.run("ACL SETUSER app resetchannels &lockstep:{stock}*");
        Diagnosis diagnosis = examine();

        assertThat(diagnosis.isHealthy()).as("%s", diagnosis).isTrue();
        assertFound(diagnosis, Severity.WARNING, "may not send hints", "&lockstep:{orders}*");
        assertFound(diagnosis, Severity.WARNING, "may not hear hints", "&lockstep:{orders}*");
    }
}
