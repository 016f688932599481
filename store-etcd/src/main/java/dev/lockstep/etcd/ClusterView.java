package dev.lockstep.etcd;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.etcd.rpc.ResponseHeader;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/*
 * etcd forgets nothing, unless a backup is restored: that sets the revisions back. So each response to a linearizable call must have a
 * revision that is not lower than the highest one which was seen before the call was sent, and come from the same cluster. Responses
 * to keep-alives are exempt from the first rule: a member that lags behind answers them with its own revision. Each renewal comes
 * with a linearizable read instead.
 */

/** What this process knows of the cluster: which one it is, and the highest revision that was seen. */
final class ClusterView {
    /** To be notified when the cluster is another one, or has lost what came last. */
    interface Listener {
        void memoryLost(String evidence);
    }

    private final AtomicLong highest = new AtomicLong();
    private final Listener listener;
    private volatile long cluster;

    ClusterView(Listener listener) {
        this.listener = listener;
    }

    /** To be read before a call is sent. */
    long highest() {
        return highest.get();
    }

    /** The cluster's id; 0 before the first response. */
    long cluster() {
        return cluster;
    }

    /** Checks the response to a linearizable call. */
    void check(ResponseHeader header, long highestBefore) {
        checkCluster(header);
        if (header.getRevision() < highestBefore) {
            forget(header);
            throw lost("revision " + header.getRevision() + " was read after revision " + highestBefore);
        }
        highest.accumulateAndGet(header.getRevision(), Math::max);
    }

    /** Checks any other response. */
    void checkCluster(ResponseHeader header) {
        long known = cluster;
        if (known == 0) {
            cluster = header.getClusterId();
        } else if (known != header.getClusterId()) {
            forget(header);
            throw lost("cluster " + Long.toHexString(header.getClusterId()) + " answered instead of "
                    + Long.toHexString(known));
        }
    }

    private void forget(ResponseHeader header) {
        cluster = header.getClusterId();
        highest.set(header.getRevision());
    }

    private LockException lost(String evidence) {
        listener.memoryLost(evidence);
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "etcd was restored from a backup, or replaced (" + evidence
                        + "). Leases from before are lost, and nothing is granted until they have expired. Try again after that.",
                List.of(),
                null);
    }
}
