package dev.lockstep.redis;

import dev.lockstep.core.LockMode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Who waits for whom. */
interface WaitGraph {
    /** Someone in a waiting lease's way, the mode it has or waits for, and the waits that hold it up. */
    record Blocker(String id, LockMode mode, boolean waits, List<String> heldUpBy) {}

    /** A waiting lease, and who is in its way. */
    record Wait(LeaseRecord record, List<Blocker> blockers) {}

    /** The waits that can be reached from one, by the ids of their leases. */
    CompletionStage<Map<String, Wait>> around(String lease);

    /** Whether all of it is seen at one moment. */
    boolean isOneMoment();
}
