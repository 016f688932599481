package dev.lockstep.core.memory;

import dev.lockstep.core.spi.StoreAnswer;
import org.jspecify.annotations.Nullable;

/** The state of a claim that has to wait. */
final class Wait {
    /** The thread that is woken up by the answer. */
    final Thread waiter = Thread.currentThread();

    /** Rises with every claim that is queued anywhere. */
    long place;

    /** Where the claim is queued; null while it is moved along. */
    volatile @Nullable EntryHold queuedAt;

    volatile @Nullable StoreAnswer answer;

    @Nullable
    Throwable failure;
}
