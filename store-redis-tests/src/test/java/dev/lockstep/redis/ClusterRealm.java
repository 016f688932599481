package dev.lockstep.redis;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.PartitionKeys;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A namespace on a cluster, with as many separate parties as a test needs.
 *
 * @param term how long leases last which are asked for without a term
 */
record ClusterRealm(RedisCluster cluster, String namespace, Duration longest, Duration term) {
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static final int PARTITIONS = 64;

    /** A busy machine takes its time for a call to every partition. */
    static final Duration PATIENT = Duration.ofSeconds(20);

    /** A namespace that nobody has used, and that need not wait. */
    static ClusterRealm on(RedisCluster cluster, Duration longest, Duration term) {
        String name = "cluster-" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet();
        ClusterRealm realm = new ClusterRealm(cluster, name, longest, term);
        try (RedisLockStore store = realm.store().answerWithin(PATIENT)) {
            store.createNamespace();
        }
        return realm;
    }

    RedisLockStore store() {
        return RedisLockStore.cluster(cluster.urls().toArray(String[]::new))
                .namespace(namespace)
                .longestTerm(longest);
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

    Partitions partitions() {
        return Partitions.spread(new Namespace(namespace), PARTITIONS, longest);
    }

    PartitionKeys keysOf(LockKey key) {
        return partitions().of(key.root()).keys();
    }

    PrivateServer masterOf(LockKey key) {
        return cluster.masterOf(keysOf(key).slot());
    }

    /** A user of this partition, who comes in the order where the name says. */
    LockKey user(String name, int partition) {
        PartitionKeys wanted = new Namespace(namespace).keys(partition);
        return IntStream.range(0, 100_000)
                .mapToObj(i -> Tenancy.user(name + "-" + i))
                .filter(user -> keysOf(user).equals(wanted))
                .findFirst()
                .orElseThrow();
    }

    /** A user whom another master keeps than that of some key. */
    LockKey userApartFrom(LockKey key, String name) {
        PrivateServer master = masterOf(key);
        return IntStream.range(0, PARTITIONS)
                .filter(i -> cluster.masterOf(new Namespace(namespace).keys(i).slot()) != master)
                .mapToObj(i -> user(name, i))
                .findFirst()
                .orElseThrow();
    }

    /** Sends a command to the server of a key, as an administrator types it. */
    List<Object> command(LockKey key, String line) {
        try (RedisAdmin admin = new RedisAdmin(masterOf(key))) {
            return admin.run(line);
        }
    }

    /** Everything in the namespace but what stays: memories and kinds. */
    List<Object> leftovers() {
        return cluster.nodes().stream()
                .limit(3)
                .flatMap(master -> {
                    try (RedisAdmin admin = new RedisAdmin(master)) {
                        return admin.run("KEYS lockstep:{" + namespace + ":*").stream();
                    }
                })
                .filter(key -> !String.valueOf(key).endsWith("}")
                        && !String.valueOf(key).endsWith(":kinds"))
                .toList();
    }
}
