package dev.lockstep.core.engine;

import dev.lockstep.core.Loss;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The loss of a lease, or what is to be notified of it. Created when needed: with the request, or under the lock of the holder's stripe. */
final class LossState {
    final @Nullable LossInterrupt interrupt;

    /** Why it was lost; written under the lock of the holder's stripe. */
    volatile @Nullable Loss loss;

    /** What {@code lost()} returned; guarded by the lock of the holder's stripe. */
    @Nullable
    CompletableFuture<Loss> future;

    LossState(@Nullable LossInterrupt interrupt) {
        this.interrupt = interrupt;
    }
}
