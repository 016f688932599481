package dev.lockstep.redis;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A JVM whose threads lock sets of keys that cross those of others, and work on as well as they can whatever happens to the server. */
final class ChaosWorker {
    private static final int THREADS = 3;
    private static final List<LockKey> POOL = pool();

    private final Locks locks;
    private final ExclusionChecker checker;
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong sections = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong unavailable = new AtomicLong();
    private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    private ChaosWorker(Locks locks, ExclusionChecker checker) {
        this.locks = locks;
        this.checker = checker;
    }

    /** Counts of several workers, by name. */
    static Map<String, Long> sum(List<String> answers) {
        Map<String, Long> sums = new TreeMap<>();
        for (String answer : answers) {
            for (String each : answer.split(" ", -1)) {
                String[] pair = each.split("=", 2);
                sums.merge(pair[0], Long.parseLong(pair[1]), Long::sum);
            }
        }
        return sums;
    }

    static ChildJvm start(Realm realm, Path directory, long seed) throws IOException {
        return ChildJvm.start(
                ChaosWorker.class,
                realm.url(),
                realm.namespace(),
                realm.longest().toString(),
                realm.term().toString(),
                directory.toString(),
                Long.toString(seed));
    }

    public static void main(String[] args) throws IOException {
        Realm realm = new Realm(args[0], args[1], Duration.parse(args[2]), Duration.parse(args[3]));
        try (ExclusionChecker checker = ExclusionChecker.in(Path.of(args[4]));
                Locks locks = realm.locks(realm.store().answerWithin(Duration.ofMillis(500)))) {
            ChaosWorker worker = new ChaosWorker(locks, checker);
            ChildJvm.obey(words -> switch (words[0]) {
                case "begin" -> worker.begin(Long.parseLong(args[5]));
                case "sections" -> worker.sections.toString();
                default -> worker.end();
            });
        }
    }

    private String begin(long seed) {
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed + i);
            String owner = "worker " + i;
            Thread thread = new Thread(() -> work(random, owner), owner);
            threads.add(thread);
            thread.start();
        }
        return "begun";
    }

    private String end() throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
        locks.close();
        checker.close();
        return unexpected.isEmpty()
                ? "granted=" + granted + " sections=" + sections + " lost=" + lost + " busy=" + busy + " unavailable="
                        + unavailable
                : String.join(" ; ", unexpected).replace('\n', ' ');
    }

    private static List<LockKey> pool() {
        List<LockKey> pool = new ArrayList<>();
        for (String user : List.of("u1", "u2")) {
            pool.add(Tenancy.user(user));
            for (String account : List.of("a1", "a2")) {
                pool.add(Tenancy.account(user, account));
                pool.add(Tenancy.resource(user, account, "r1"));
                pool.add(Tenancy.resource(user, account, "r2"));
            }
        }
        return pool;
    }

    // ---- the work

    private void work(Random random, String owner) {
        while (!ended) {
            try {
                once(random, owner);
            } catch (LockException e) {
                if (e.code() == ErrorCode.STORE_UNAVAILABLE) {
                    unavailable.incrementAndGet();
                    LockSupport.parkNanos(20_000_000);
                } else if (e.code() == ErrorCode.LEASE_LOST) {
                    lost.incrementAndGet(); // its term was over before the answer came
                } else {
                    unexpected.add(e.toString());
                }
            } catch (RuntimeException e) {
                unexpected.add(e.toString());
            }
        }
    }

    private void once(Random random, String owner) {
        List<LockKey> keys = new ArrayList<>(POOL);
        Collections.shuffle(keys, random);
        int exclusive = random.nextInt(3);
        int shared = random.nextInt(exclusive == 0 ? 1 : 0, 4 - exclusive);
        List<LockKey> writes = keys.subList(0, exclusive);
        List<LockKey> reads = keys.subList(exclusive, exclusive + shared);
        LockRequest request = request(writes, reads).as(owner).within(Duration.ofMillis(1 + random.nextInt(1_500)));
        boolean renewed = random.nextInt(3) > 0; // else it often ends while it is used
        if (locks.tryAcquire(renewed ? request : request.forTerm(Duration.ofMillis(20 + random.nextInt(200))))
                instanceof Granted had) {
            granted.incrementAndGet();
            use(had.lease(), writes, reads, random);
        } else {
            busy.incrementAndGet();
        }
    }

    private static LockRequest request(List<LockKey> writes, List<LockKey> reads) {
        if (writes.isEmpty()) {
            return LockRequest.shared(reads);
        }
        LockRequest request = LockRequest.exclusive(writes);
        return reads.isEmpty() ? request : request.andShared(reads.toArray(LockKey[]::new));
    }

    /** A few sections at each key, for as long as the lease is held. */
    private void use(Lease lease, List<LockKey> writes, List<LockKey> reads, Random random) {
        boolean held = true;
        for (int round = 1 + random.nextInt(6); round > 0 && held; round--) {
            for (LockKey key : writes) {
                held = held && section(key, true, lease, random);
            }
            for (LockKey key : reads) {
                held = held && section(key, false, lease, random);
            }
        }
        boolean released = lease.release() == ReleaseOutcome.RELEASED;
        if (!held || !released) {
            lost.incrementAndGet();
        }
    }

    private boolean section(LockKey key, boolean exclusive, Lease lease, Random random) {
        long nanos = random.nextInt(10_000_000);
        boolean held = checker.whileHeld(key, exclusive, lease, () -> LockSupport.parkNanos(nanos));
        if (held) {
            sections.incrementAndGet();
        }
        return held;
    }
}
