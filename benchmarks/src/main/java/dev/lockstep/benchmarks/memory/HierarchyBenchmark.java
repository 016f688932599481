package dev.lockstep.benchmarks.memory;

import static dev.lockstep.core.LockRequest.exclusive;

import com.google.common.util.concurrent.Striped;
import dev.lockstep.benchmarks.measure.BenchmarkKinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Locks and frees a random resource of 1,000 users x 10 accounts x 10 resources: its user and account shared, itself
 * exclusive. Keys are built beforehand. The peers lock the three levels one after the other; they have no leases, tokens,
 * timeouts or order.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class HierarchyBenchmark {
    private static final int USERS = 1_000;
    private static final int EACH = 10;
    private static final int RESOURCES = USERS * EACH * EACH;
    private static final int STRIPES = 4_096;

    private final LockKey[] keys = new LockKey[RESOURCES];
    private final String[][] names = new String[RESOURCES][];
    private final Locks locks = Locks.inMemory();
    // One for each level: with one for all, a user and its resource can share a stripe, and the thread waits for
    // itself.
    private final Striped<ReadWriteLock> users = Striped.readWriteLock(STRIPES);
    private final Striped<ReadWriteLock> accounts = Striped.readWriteLock(STRIPES);
    private final Striped<ReadWriteLock> resources = Striped.readWriteLock(STRIPES);
    private final ConcurrentMap<String, ReadWriteLock> map = new ConcurrentHashMap<>();

    /** Builds all keys; on both sides the resources of an account share its name, and the accounts of a user share its. */
    public HierarchyBenchmark() {
        for (int u = 0; u < USERS; u++) {
            String userName = "u" + u;
            LockKey user = BenchmarkKinds.USER.key(userName);
            for (int a = 0; a < EACH; a++) {
                String accountName = userName + "/a" + a;
                LockKey account = user.child(BenchmarkKinds.ACCOUNT, "a" + a);
                for (int r = 0; r < EACH; r++) {
                    int index = (u * EACH + a) * EACH + r;
                    keys[index] = account.child(BenchmarkKinds.RESOURCE, "r" + r);
                    names[index] = new String[] {userName, accountName, accountName + "/r" + r};
                }
            }
        }
    }

    /** Ends the lease threads. */
    @TearDown
    public void close() {
        locks.close();
    }

    private static int any() {
        return ThreadLocalRandom.current().nextInt(RESOURCES);
    }

    /** Lockstep, with everything on. */
    @Benchmark
    public Object lockstep() {
        try (Lease lease = locks.acquire(exclusive(keys[any()]))) {
            return lease;
        }
    }

    /** Guava's Striped: a fixed number of locks, so different things may share one. */
    @Benchmark
    public Object striped() {
        String[] path = names[any()];
        return chain(users.get(path[0]), accounts.get(path[1]), resources.get(path[2]));
    }

    /** A map of locks, which is never emptied. */
    @Benchmark
    public Object map() {
        String[] path = names[any()];
        return chain(inMap(path[0]), inMap(path[1]), inMap(path[2]));
    }

    private ReadWriteLock inMap(String name) {
        return map.computeIfAbsent(name, any -> new ReentrantReadWriteLock());
    }

    private static Object chain(ReadWriteLock user, ReadWriteLock account, ReadWriteLock resource) {
        Lock first = user.readLock();
        Lock second = account.readLock();
        Lock third = resource.writeLock();
        first.lock();
        try {
            second.lock();
            try {
                third.lock();
                try {
                    return third;
                } finally {
                    third.unlock();
                }
            } finally {
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }
}
