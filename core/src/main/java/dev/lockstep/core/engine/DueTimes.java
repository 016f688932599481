package dev.lockstep.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Leases by the time at which the watcher has to inspect them next. A lease that isn't due costs nothing. Used by the watcher's thread alone.
 *
 * <p>A lease is filed under one time. One that is filed again under an earlier time leaves an entry behind, which is recognized and dropped
 * when its time comes. Times are nanoseconds since the watcher's origin, so that they never overflow.
 */
final class DueTimes {
    static final long NEVER = Long.MAX_VALUE;

    private final TreeMap<Long, List<StoreLease>> byTime = new TreeMap<>();

    /** Files a lease under this time, unless it is filed under an earlier one. */
    void file(StoreLease storeLease, long time) {
        if (storeLease.filedAt() <= time) {
            return;
        }
        storeLease.file(time);
        byTime.computeIfAbsent(time, unused -> new ArrayList<>()).add(storeLease);
    }

    /** Takes out the leases that are due at this time. */
    List<StoreLease> takeDue(long now) {
        return take(byTime.headMap(now, true));
    }

    List<StoreLease> takeAll() {
        return take(byTime);
    }

    private static List<StoreLease> take(Map<Long, List<StoreLease>> entries) {
        List<StoreLease> taken = new ArrayList<>();
        entries.forEach((time, storeLeases) -> {
            for (StoreLease storeLease : storeLeases) {
                if (storeLease.filedAt() == time) {
                    storeLease.file(NEVER);
                    taken.add(storeLease);
                }
            }
        });
        entries.clear();
        return taken;
    }

    /** The earliest time under which a lease is filed. */
    long first() {
        return byTime.isEmpty() ? NEVER : byTime.firstKey();
    }
}
