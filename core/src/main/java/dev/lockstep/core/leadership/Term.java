package dev.lockstep.core.leadership;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Loss;
import dev.lockstep.core.internal.ApiAccess;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/** One term of a leader: from the grant of the key until the lease is lost, or the leader resigns or closes. */
public final class Term {
    private static final ApiAccess API = ApiAccess.get();

    private final Lease lease;
    private final LockKey key;
    private final Instant since;
    private final AtomicBoolean ended = new AtomicBoolean();

    Term(Lease lease, LockKey key, Instant since) {
        this.lease = lease;
        this.key = key;
        this.since = since;
    }

    /** The key that is led. */
    public LockKey key() {
        return key;
    }

    /** The name of the leader. */
    public String owner() {
        return lease.owner();
    }

    /** When the term began, by this machine's wall clock. */
    public Instant since() {
        return since;
    }

    /** Greater than those of all earlier terms of this key: for a guard that refuses the late writes of a former leader. */
    public FencingToken token() {
        return lease.token();
    }

    /** Whether this term is held now, judged by the clocks of this machine alone. */
    public boolean isHeld() {
        return !ended.get() && lease.isHeld();
    }

    /**
     * Does nothing if {@link #isHeld}. To be called before each write.
     *
     * @throws LeaseLostException if the lease was lost, or the leader resigned or closed
     */
    public void ensureHeld() {
        lease.ensureHeld();
        if (ended.get()) {
            throw API.lost(lease, API.loss(Loss.Reason.CLOSED, null));
        }
    }

    /** Returns whether it had not ended before. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }

    boolean hasEnded() {
        return ended.get();
    }

    @Override
    public String toString() {
        return "Term of '" + owner() + "' on " + key + " since " + since + ", token " + token();
    }
}
