package dev.lockstep.redis;

import dev.lockstep.core.Locks;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A namespace on a server, with as many separate parties as a test needs, in this JVM or in others.
 *
 * @param term how long leases last which are asked for without a term
 */
record Realm(String url, String namespace, Duration longest, Duration term) {
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    /** For calls that block: a pool would run few of them at a time, and the tests run side by side. */
    static final Executor NEW_THREAD = task -> new Thread(task).start();

    /** A machine may stand still for seconds. Who wants to see an answer fail to come says so. */
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /** A namespace that nobody has used. */
    static Realm on(TestServer server, Duration longest, Duration term) {
        String name = "realm-" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet();
        return new Realm(server.url(), name, longest, term);
    }

    Realm at(String otherUrl) {
        return new Realm(otherUrl, namespace, longest, term);
    }

    Realm longest(Duration other) {
        return new Realm(url, namespace, other, term);
    }

    /** The same, without the wait that a new namespace may need. */
    Realm create() {
        try (RedisLockStore store = store()) {
            store.createNamespace();
        }
        return this;
    }

    RedisLockStore store() {
        return RedisLockStore.at(url).namespace(namespace).longestTerm(longest).answerWithin(ANSWER);
    }

    /** Another party, with connections of its own. */
    Locks locks() {
        return locks(store());
    }

    Locks locks(RedisLockStore store) {
        return Locks.builder(store)
                .defaultTerm(term)
                .defaultWait(Duration.ofMinutes(3))
                .build();
    }

    /** Another party in another JVM; it obeys {@link RedisChild}. */
    ChildJvm child() throws IOException {
        return ChildJvm.start(RedisChild.class, url, namespace, longest.toString(), term.toString());
    }

    String memory() {
        return new Namespace(namespace).memory();
    }

    /** The time by which the servers of this machine count, as they count it. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
