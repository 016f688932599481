package dev.lockstep.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Which leases wait for which across partitions, put together from what each of them knows. They are read one after the other. */
record MergedWaitGraph(RedisLockInspector sight) implements RedisWaitGraph {
    @Override
    public CompletionStage<List<Step>> cycleOf(String lease) {
        return sight.leases().thenApply(leases -> new CycleSearch(leases, lease).find());
    }

    @Override
    public boolean isOneMoment() {
        return false;
    }
}
