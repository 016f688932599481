package dev.lockstep.redis;

import dev.lockstep.core.LockMode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Which leases wait for which. */
interface RedisWaitGraph {
    /** A lease that holds a lock, or waits for it further ahead, and the mode in which it does. */
    record Blocker(String id, LockMode mode, boolean waits) {
        /** Reads the mode as scripts write it: behind a '+' if the lease waits. */
        static Blocker read(String id, String mode) {
            boolean waits = mode.startsWith("+");
            return new Blocker(id, StoredLease.mode(waits ? mode.substring(1) : mode), waits);
        }
    }

    /** A waiting lease on the way round a cycle, and the one that it waits for. */
    record Step(StoredLease waiting, Blocker blocker) {}

    /** The shortest cycle that a waiting lease is part of, from that lease on; empty if there is none. */
    CompletionStage<List<Step>> cycleOf(String lease);

    /** Whether all of it is seen at one moment. */
    boolean isOneMoment();
}
