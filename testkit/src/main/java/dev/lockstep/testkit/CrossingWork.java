package dev.lockstep.testkit;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that take sets of one to five keys of {@link Tenancy} which cross each other, shared and exclusive, named in any order,
 * some of them with a nested request, some without patience. Run it in several threads and processes at once: a store that
 * takes locks out of order deadlocks, and one that doesn't exclude is found by the {@link ExclusionChecker}.
 */
public final class CrossingWork {
    /** Above all of {@link Tenancy}, so that it can be locked inside any of it. */
    private static final LockKind PARCEL = LockKind.of("parcel", 10).asLeaf();

    private static final Duration WAIT = Duration.ofMinutes(4);
    private static final int PARCELS = 3;
    private static final List<LockKey> POOL = pool();

    private final Locks locks;
    private final ExclusionChecker checker;

    private CrossingWork(Locks locks, ExclusionChecker checker) {
        this.locks = locks;
        this.checker = checker;
    }

    /** Work under these locks, each section of which is shown to the checker. */
    public static CrossingWork on(Locks locks, ExclusionChecker checker) {
        return new CrossingWork(locks, checker);
    }

    /** The kinds of its keys, without those above them: for stores that are provisioned. */
    public static List<LockKind> kinds() {
        return List.of(Tenancy.RESOURCE, PARCEL);
    }

    private static List<LockKey> pool() {
        List<LockKey> pool = new ArrayList<>();
        for (String user : List.of("u1", "u2", "u3", "u4")) {
            pool.add(Tenancy.user(user));
            for (String account : List.of("a1", "a2")) {
                pool.add(Tenancy.account(user, account));
                for (String resource : List.of("r1", "r2", "r3")) {
                    pool.add(Tenancy.resource(user, account, resource));
                }
            }
        }
        return pool;
    }

    /** Returns when that many sets were acquired by the threads together. Throws whatever one of them met. */
    public void run(int threads, int acquisitions, long seed) throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int share = acquisitions / threads + (i < acquisitions % threads ? 1 : 0);
                Random random = new Random(seed + i);
                workers.add(executor.submit(() -> work(share, random)));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private void work(int acquisitions, Random random) {
        for (int had = 0; had < acquisitions; ) {
            if (once(random)) {
                had++;
            }
        }
    }

    private boolean once(Random random) {
        List<LockKey> exclusive = new ArrayList<>();
        List<LockKey> shared = new ArrayList<>();
        List<LockKey> shuffled = new ArrayList<>(POOL);
        Collections.shuffle(shuffled, random);
        for (LockKey key : shuffled.subList(0, 1 + random.nextInt(5))) {
            (random.nextBoolean() ? exclusive : shared).add(key);
        }
        LockRequest request = request(exclusive, shared);
        if (random.nextInt(10) > 0) {
            use(locks.acquire(request.within(WAIT)), exclusive, shared, random);
            return true;
        }
        // Waits that end, on the server too, must leave nothing behind.
        LockRequest impatient = random.nextBoolean()
                ? request.withoutWaiting()
                : request.within(Duration.ofMillis(1 + random.nextInt(5)));
        if (locks.tryAcquire(impatient) instanceof Granted granted) {
            use(granted.lease(), exclusive, shared, random);
            return true;
        }
        return false;
    }

    private static LockRequest request(List<LockKey> exclusive, List<LockKey> shared) {
        if (exclusive.isEmpty()) {
            return LockRequest.shared(shared);
        }
        LockRequest request = LockRequest.exclusive(exclusive);
        return shared.isEmpty() ? request : request.andShared(shared.toArray(LockKey[]::new));
    }

    private void use(Lease lease, List<LockKey> exclusive, List<LockKey> shared, Random random) {
        try (lease) {
            exclusive.forEach(key -> checker.exclusive(key, lease));
            shared.forEach(key -> checker.shared(key, lease));
            if (random.nextInt(10) == 0) {
                LockKey parcel = PARCEL.key("p" + random.nextInt(PARCELS));
                try (Lease inner = locks.acquire(LockRequest.exclusive(parcel).within(WAIT))) {
                    checker.exclusive(parcel, inner);
                }
            }
            lease.ensureHeld();
        }
    }
}
