package dev.lockstep.benchmarks.measure;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import java.lang.management.ManagementFactory;

/** Locks and frees ten million different keys and looks at the heap before and after. */
public final class HeapCheck {
    private static final int KEYS = 10_000_000;

    private HeapCheck() {}

    public static void run() {
        MemoryStore store = MemoryStore.create();
        try (Locks locks = Locks.on(store)) {
            touch(locks, 0, 100_000); // classes and thread-locals that stay are made here
            long before = usedAfterGc();
            touch(locks, 100_000, KEYS);
            long after = usedAfterGc();
            System.out.printf(
                    "%,d different keys locked and freed: heap %,d KiB before, %,d KiB after; %d entries left%n",
                    KEYS, before / 1024, after / 1024, store.size());
        }
    }

    private static void touch(Locks locks, int from, int count) {
        for (int i = from; i < from + count; i++) {
            LockKey key = BenchmarkKinds.USER
                    .key("u" + i / 100)
                    .child(BenchmarkKinds.ACCOUNT, "a" + i / 10)
                    .child(BenchmarkKinds.RESOURCE, "r" + i);
            locks.acquire(exclusive(key)).close();
        }
    }

    public static long usedAfterGc() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
