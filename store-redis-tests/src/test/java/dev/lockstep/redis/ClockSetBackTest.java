package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The server's clock is set back by an hour: all times that it has recorded are an hour ahead. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class ClockSetBackTest {
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final long HOUR = NamespaceGeneration.micros(Duration.ofHours(1));
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private static void setBack(RedisAdmin admin, Realm realm) {
        for (String field : List.of("birth", "began", "last", "quiet")) {
            long time = Long.parseLong(
                    (String) admin.run("HGET " + realm.memory() + " " + field).get(0));
            admin.run("HSET " + realm.memory() + " " + field + " " + (time == 0 ? 0 : time + HOUR));
        }
    }

    @Test
    void theQuietTimeEndsAllTheSame(PrivateServer server) {
        Realm realm = Realm.on(server, LONGEST, LONGEST);
        try (RedisAdmin admin = new RedisAdmin(server);
                RedisLockStore store = realm.store();
                Locks locks = realm.locks(store)) {
            admin.run("SET any thing");
            admin.run("DEL any"); // so that a new namespace is not granted at once
            store.ping();
            setBack(admin, realm);
            locks.acquire(USER).close();
        }
    }

    @Test
    void aQuietTimeThatHasPassedDoesNotReturn(PrivateServer server) {
        Realm realm = Realm.on(server, LONGEST, LONGEST);
        try (RedisAdmin admin = new RedisAdmin(server);
                Locks locks = realm.locks()) {
            locks.acquire(USER).close();
            setBack(admin, realm);
            try (Locks other = realm.locks()) {
                assertThat(other.tryAcquire(USER)).isInstanceOf(Granted.class);
            }
        }
    }

    @Test
    void aLeaseThatIsNotReleasedLastsNoLongerThanTheLongestTerm(PrivateServer server) {
        Realm realm = Realm.on(server, LONGEST, LONGEST).create();
        try (RedisAdmin admin = new RedisAdmin(server);
                Locks locks = realm.locks()) {
            Lease lease = locks.acquire(USER.forTerm(LONGEST));
            String leases = realm.memory() + ":leases";
            String record =
                    (String) admin.run("HGET " + leases + " " + lease.id()).get(0);
            String[] lines = record.split("\n", -1);
            lines[1] = Long.toString(Long.parseLong(lines[1]) + HOUR);
            admin.send("HSET", leases, lease.id().toString(), String.join("\n", lines))
                    .join();
            locks.acquire(USER).close();
        }
    }
}
