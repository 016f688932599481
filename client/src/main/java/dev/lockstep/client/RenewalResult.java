package dev.lockstep.client;

import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.StoreGrant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of the renewals of one call, which are sent a few at a time. */
final class RenewalResult {
    private final Set<StoreGrant> gone = new LinkedHashSet<>();
    private @Nullable LockException failure;
    private boolean silent;

    /** The next few are sent. */
    void next() {
        silent = true;
    }

    /** Records a response; returns whether the lease is kept, or may be. */
    boolean kept(Reply reply, StoreGrant grant) {
        silent = false;
        if (reply.isGone()) {
            gone.add(grant);
            return false;
        }
        if (!reply.succeeded()) {
            failed(reply.failure());
        }
        return true;
    }

    void failed(LockException error) {
        if (failure == null) {
            failure = error;
        }
    }

    /** Whether the server responded to none of the last few. */
    boolean isSilent() {
        return silent;
    }

    /** The grants that are no longer held; throws the first failure if there was one. */
    List<StoreGrant> gone() {
        if (failure != null) {
            throw failure;
        }
        return List.copyOf(gone);
    }
}
