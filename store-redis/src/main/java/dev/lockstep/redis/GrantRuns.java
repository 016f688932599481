package dev.lockstep.redis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Passing a lock on without the server
 * ------------------------------------
 * One release may grant an exclusive lock to several requests of this process that waited one directly behind the other (a run, locks.lua). To
 * the server all of them hold it; here the first one gets it, and when it is released the next one, while the release is on its way.
 *
 * No two of them hold it at a time, because both sides go by the same order, and a successor gets the lock here only when
 *
 * - the one before it was released here, or was abandoned and never gets it; or the server says that none is left before it; and
 * - its own lease lasts, counted from before the last call that granted or kept it. With less than half of the term left, or if the lease before it
 *   expired unreleased, the server is asked first.
 *
 * A request that still waits is passed over only when the server says that it is in the run no longer. When this process doesn't know a run, since
 * a reply was lost or came late, the reply to the next release names the one whose turn it is, and so does the server when a successor asks.
 */

/** The locks that this process passes on by itself, and the requests that wait for that. */
final class GrantRuns {
    private final PendingAcquisitions pending;
    private final Map<String, Run> byLease = new ConcurrentHashMap<>();

    private static final class Run {
        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<RedisAcquisition> successors;
        private RedisAcquisition holder;

        Run(RedisAcquisition holder, List<RedisAcquisition> successors) {
            this.holder = holder;
            this.successors = new ArrayDeque<>(successors);
        }

        boolean hasSuccessor(String lease) {
            lock.lock();
            try {
                return holder.lease().equals(lease) && !successors.isEmpty();
            } finally {
                lock.unlock();
            }
        }

        /** Makes the next one the holder, if this one was. */
        @Nullable
        RedisAcquisition follow(RedisAcquisition released) {
            lock.lock();
            try {
                RedisAcquisition next = holder == released ? successors.poll() : null;
                holder = next == null ? holder : next;
                return next;
            } finally {
                lock.unlock();
            }
        }

        @Nullable
        RedisAcquisition holder(String lease) {
            lock.lock();
            try {
                return holder.lease().equals(lease) ? holder : null;
            } finally {
                lock.unlock();
            }
        }

        /** The server let this one in: those before it have ended there. */
        void advanceTo(RedisAcquisition granted) {
            lock.lock();
            try {
                if (successors.contains(granted)) {
                    while (holder != granted) {
                        holder = Objects.requireNonNull(successors.poll());
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    GrantRuns(PendingAcquisitions pending) {
        this.pending = pending;
    }

    /** A release let in these requests of this process, one after the other; that call was sent at this reading of the clocks. */
    void granted(List<GrantedLease> leases, long nanos, long millis) {
        RedisAcquisition first = pending.find(leases.get(0).lease());
        List<RedisAcquisition> successors = leases.stream()
                .skip(1)
                .map(each -> promise(each, nanos, millis))
                .filter(Objects::nonNull)
                .toList();
        if (first == null) {
            return; // it has its grant, or releases it: that release names the next one
        }
        Run run = successors.isEmpty() ? null : new Run(first, successors);
        if (run != null) {
            byLease.put(first.lease(), run);
            successors.forEach(each -> byLease.put(each.lease(), run));
            successors.stream()
                    .filter(each -> !each.isWaiting())
                    .forEach(each -> byLease.remove(each.lease(), run)); // its release may have come before
        }
        boolean letIn = first.letIn(new GrantPromise(leases.get(0).token(), nanos, millis));
        if (run != null && !letIn) {
            byLease.values().removeIf(each -> each == run);
        }
    }

    private @Nullable RedisAcquisition promise(GrantedLease granted, long nanos, long millis) {
        RedisAcquisition successor = pending.find(granted.lease());
        if (successor != null) {
            successor.promise(new GrantPromise(granted.token(), nanos, millis));
        }
        return successor;
    }

    /** Whether this process passes the lock of this lease on when it is released. */
    boolean passesOn(String lease) {
        Run run = byLease.get(lease);
        return run != null && run.hasSuccessor(lease);
    }

    /** A lease is being released, or will never be held. If it was its turn, the next one that still waits gets the lock. */
    void released(String lease) {
        Run run = byLease.remove(lease);
        RedisAcquisition before = run == null ? null : run.holder(lease);
        if (run == null || before == null) {
            return;
        }
        boolean inTime = before.isWithinTerm();
        for (RedisAcquisition next = run.follow(before); next != null; next = run.follow(next)) {
            if (next.takeTurn(inTime)) {
                return;
            }
            byLease.remove(next.lease(), run);
        }
    }

    /** A request has its grant, from whichever call. */
    void settled(RedisAcquisition granted) {
        Run run = byLease.get(granted.lease());
        if (run != null) {
            run.advanceTo(granted);
        }
    }

    boolean isEmpty() {
        return byLease.isEmpty();
    }
}
