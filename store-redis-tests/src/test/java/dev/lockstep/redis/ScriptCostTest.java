package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one script does on the server doesn't grow with the number of leases at a lock: all others wait for the server meanwhile. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
class ScriptCostTest {
    private static final int CROWD = 500;
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private ScriptCaller scripts;

    @BeforeEach
    void start(PrivateServer server) {
        scripts = new ScriptCaller(server, Realm.on(server, LONG, LONG).create());
    }

    @AfterEach
    void stop() {
        scripts.close();
    }

    private List<String> crowd(String mode, String key) {
        List<String> leases = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            String lease = scripts.newLease();
            assertThat(scripts.acquire(lease, true, mode, key)).isEqualTo("queued");
            leases.add(lease);
        }
        return leases;
    }

    /** The number of commands that a script calls. */
    private long cost(Runnable call) {
        long before = scripts.calls("");
        call.run();
        return scripts.calls("") - before;
    }

    /** The first one in a new namespace records the server's replication id. */
    @Test
    void aGrantAsksForInfoOnce() {
        assertThat(scripts.acquire(scripts.newLease(), false, "X", "k1")).isEqualTo("granted");
        long before = scripts.calls("info") + 1; // counting is one, too
        assertThat(scripts.acquire(scripts.newLease(), false, "X", "k2")).isEqualTo("granted");
        assertThat(scripts.calls("info") - before).isEqualTo(1);
    }

    /** Its replication id changes, but it is the same server, which has been a master all the time. */
    @Test
    void aServerThatGetsItsFirstReplicaGrantsAsBefore(PrivateServer server) {
        Realm realm = Realm.on(server, LONG, LONG).create();
        try (ScriptCaller here = new ScriptCaller(server, realm);
                RedisAdmin admin = new RedisAdmin(server)) {
            assertThat(here.acquire(here.newLease(), false, "X", "k1")).isEqualTo("granted");
            String before = admin.text("HGET " + realm.memory() + " history");
            assertThat(before).matches("\\p{XDigit}{40} \\p{XDigit}{40}");
            try (PrivateServer replica =
                    TestServers.startRedis("--replicaof", server.host(), Integer.toString(server.port()))) {
                Awaitility.await()
                        .until(() -> admin.info("replication").contains("port=" + replica.port() + ",state=online"));
                assertThat(here.acquire(here.newLease(), false, "X", "k2")).isEqualTo("granted");
                assertThat(admin.text("HGET " + realm.memory() + " history")).isNotEqualTo(before);
            }
        }
    }

    @Test
    void theSearchForACycleReadsAQueueOnce() {
        String holder = scripts.newLease();
        scripts.acquire(holder, true, "X", "k2");
        crowd("S", "k2");
        String waiter = scripts.newLease();
        assertThat(scripts.acquire(waiter, true, "X", "k1", "X", "k2")).isEqualTo("queued");
        assertThat(scripts.acquire(scripts.newLease(), true, "X", "k1")).isEqualTo("queued");
        assertThat(cost(() -> assertThat(scripts.run(Script.LOOK, waiter, "2000"))
                        .as("nothing holds it up for ever")
                        .isEmpty()))
                .isLessThan(100);
    }

    @Test
    void aCycleBehindACrowdIsFound() {
        String first = scripts.newLease();
        scripts.acquire(first, true, "X", "k2");
        crowd("S", "k2");
        String waiter = scripts.newLease();
        scripts.acquire(waiter, true, "X", "k1", "X", "k2");
        String nested = scripts.newLease();
        scripts.acquireNestedIn(first, nested, "X", "k1");
        assertThat(scripts.run(Script.LOOK, waiter, "2000")).element(0).isEqualTo(waiter);
        assertThat(scripts.run(Script.LOOK, nested, "2000")).element(0).isEqualTo(nested);
    }

    @Test
    void aReleaseLetsInSomeAndTheNextOneContinues() {
        String holder = scripts.newLease();
        scripts.acquire(holder, true, "X", "k");
        List<String> waiters = crowd("S", "k");
        assertThat(cost(() -> scripts.release(holder, "other", "X", "k"))).isLessThan(1_500);
        assertThat(scripts.calls("publish"))
                .as("hints, one of them to the next")
                .isEqualTo(65);
        int turns = 0;
        while (!scripts.acquire(waiters.get(CROWD - 1), true, "S", "k").equals("granted")) {
            String next = scripts.firstInQueue("k");
            assertThat(cost(() -> scripts.acquire(next, true, "S", "k"))).isLessThan(1_500);
            turns++;
        }
        assertThat(turns).isLessThan(CROWD / 64 + 2);
    }

    @Test
    void expiredHoldersAreRemovedInPortionsForOneThatWaits() {
        for (int i = 0; i < CROWD; i++) {
            scripts.acquire(scripts.newLease(), "p", true, MOMENT, LONG, "S", "k");
        }
        String waiter = scripts.newLease();
        List<Long> costs = new ArrayList<>();
        Awaitility.await().atMost(Duration.ofMinutes(1)).pollInterval(MOMENT).until(() -> {
            String[] reply = {""};
            costs.add(cost(() -> reply[0] = scripts.acquire(waiter, true, "X", "k")));
            return reply[0].equals("granted");
        });
        assertThat(costs).allMatch(cost -> cost < 1_500);
        assertThat(scripts.acquire(scripts.newLease(), false, "X", "k")).isEqualTo("busy");
    }

    /** The process that they belong to is gone. */
    private void expiredCrowd(String key) {
        for (int i = 0; i < CROWD; i++) {
            String lease = scripts.newLease();
            assertThat(scripts.acquire(lease, "dead", true, LONG, MOMENT, "X", key))
                    .isEqualTo("queued");
        }
        scripts.run(Script.HEARTBEAT, "dead", "0");
        scripts.awaitMillis(2);
    }

    @Test
    void expiredWaitersAreRemovedInPortions() {
        String holder = scripts.newLease();
        scripts.acquire(holder, true, "X", "k");
        expiredCrowd("k");
        assertThat(cost(() -> scripts.release(holder, "other", "X", "k"))).isLessThan(1_500);
        String waiter = scripts.newLease();
        List<Long> costs = new ArrayList<>();
        Awaitility.await().atMost(Duration.ofMinutes(1)).pollInterval(MOMENT).until(() -> {
            String[] reply = {""};
            costs.add(cost(() -> reply[0] = scripts.acquire(waiter, true, "X", "k")));
            return reply[0].equals("granted");
        });
        assertThat(costs).hasSizeGreaterThan(1).allMatch(cost -> cost < 1_500);
    }

    @Test
    void expiredWaitersAreNotInTheWayOfOneThatDoesNotWait() {
        String holder = scripts.newLease();
        scripts.acquire(holder, true, "X", "k");
        expiredCrowd("k");
        scripts.release(holder, "other", "X", "k");
        assertThat(scripts.acquire(scripts.newLease(), false, "X", "k")).isEqualTo("granted");
    }

    @Test
    void aKeyWithOnlyExpiredWaitersIsFreeForANewcomer() {
        String holder = scripts.newLease();
        scripts.acquire(holder, "dead", true, LONG, LONG, "X", "k");
        assertThat(scripts.acquire(scripts.newLease(), "dead", true, LONG, MOMENT, "X", "k"))
                .isEqualTo("queued");
        scripts.run(Script.HEARTBEAT, "dead", "0");
        scripts.awaitMillis(2);
        scripts.letExpire(holder);
        assertThat(scripts.acquire(scripts.newLease(), true, "X", "k")).isEqualTo("granted");
    }

    @Test
    void oneProcessSweepsAtATime() {
        for (int i = 0; i < CROWD; i++) {
            scripts.acquire(scripts.newLease(), true, "X", "k" + i);
        }
        String pause = "10000000";
        String cursor = (String) scripts.run(Script.SWEEP, "0", "first", pause).get(0);
        long scans = scripts.calls("hscan");
        assertThat(scripts.run(Script.SWEEP, "0", "second", pause)).containsExactly("0");
        assertThat(scripts.calls("hscan")).isEqualTo(scans);
        assertThat(cursor).isNotEqualTo("0");
        scripts.run(Script.SWEEP, cursor, "first", pause);
        assertThat(scripts.calls("hscan")).as("the round continues").isEqualTo(scans + 1);
    }
}
