package dev.lockstep.redis;

import dev.lockstep.core.LockClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What all requests of a store share. */
record AcquisitionContext(
        Partitions partitions,
        LeaseCalls calls,
        StoreTimer timer,
        Heartbeats heartbeats,
        DeadlockSearch cycles,
        RedisKinds kinds,
        LockClock clock) {
    /** Learns of the generation that a partition is in; what was declared in an earlier one is declared in this one first. */
    CompletionStage<Void> learn(AcquireCall.OtherGeneration other) {
        Partition partition = other.partition();
        try {
            partition.generation().requireSame(other.longest(), other.partitions());
            return kinds.declareAgain(partition).thenRun(() -> {
                if (partition.generation().learned(other.birth())) {
                    heartbeats.askAll(partition);
                }
            });
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
