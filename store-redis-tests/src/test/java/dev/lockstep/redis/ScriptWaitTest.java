package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the scripts do with waiting leases whose process sends heartbeats, or none any more. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
class ScriptWaitTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String LONG_MICROS = Long.toString(NamespaceGeneration.micros(LONG));

    private ScriptCaller scripts;

    @BeforeEach
    void start(PrivateServer server) {
        scripts = new ScriptCaller(server, Realm.on(server, LONG, LONG).create());
    }

    @AfterEach
    void stop() {
        scripts.close();
    }

    @Test
    void grantsOfAProcessThatIsGoneAreForgotten() {
        String holder = scripts.newLease();
        scripts.acquire(holder, true, "X", "k");
        scripts.acquire(scripts.newLease(), "q", true, LONG, LONG, "X", "k");
        scripts.run(Script.HEARTBEAT, "q", "0");
        scripts.release(holder, "p", "X", "k");
        assertThat(scripts.fields()).contains("granted:q");
        scripts.run(Script.SWEEP, "0", "p", "0");
        assertThat(scripts.fields()).doesNotContain("granted:q");
    }

    @Test
    void aHeartbeatKeepsThePlaceOfOneThatDoesNotAsk() {
        String holder = scripts.newLease();
        String waiter = scripts.newLease();
        scripts.acquire(holder, true, "X", "k");
        scripts.acquire(waiter, "q", true, LONG, Duration.ofMillis(1), "X", "k");
        scripts.run(Script.HEARTBEAT, "q", LONG_MICROS);
        scripts.awaitMillis(2);
        String next = scripts.newLease();
        assertThat(scripts.acquire(next, true, "X", "k")).isEqualTo("queued");
        scripts.release(holder, "p", "X", "k");
        assertThat(scripts.acquire(next, true, "X", "k")).isEqualTo("queued");
        assertThat(scripts.acquire(waiter, "q", true, LONG, LONG, "X", "k")).isEqualTo("granted");
    }

    /** Its own ask may be long ago: it is not the first of its process. */
    @Test
    void aGrantLastsAsLongAsTheHeartbeatKeptThePlace() {
        String holder = scripts.newLease();
        String waiter = scripts.newLease();
        scripts.acquire(holder, true, "X", "k");
        scripts.acquire(waiter, "q", true, LONG, Duration.ofSeconds(10), "X", "k");
        scripts.run(Script.HEARTBEAT, "q", LONG_MICROS);
        scripts.release(holder, "p", "X", "k");
        assertThat(scripts.lastsFor(waiter)).isGreaterThan(Duration.ofSeconds(15));
    }
}
