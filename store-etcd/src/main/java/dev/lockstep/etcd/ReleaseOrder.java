package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockKey;
import dev.lockstep.etcd.Watches.Listener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/*
 * All entries of a lease are deleted at one revision. Where such a lease held several things, the requests of this process that waited for them are
 * notified as if they had been released in reverse order: one key after the other, the next one when the first request of the key before has been
 * served. So their tokens have that order. That needs all of them: those whose watches have not reported yet, and those whose places in a queue were
 * taken in etcd, but not reported here yet. Both take a few milliseconds, and no longer is waited.
 */

/** Notifies what waited for several locks of one lease in the reverse order of the plan. */
final class ReleaseOrder {
    private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_IN_ORDER = 16;

    /** What waits for one key. */
    private record Waiting(LockKey key, List<Listener> listeners) {}

    /** A lease that was released a moment ago. */
    private static final class Released {
        final List<Waiting> waiting = new ArrayList<>();
        final long since = System.nanoTime();
        final long takesBefore;

        Released(long takesBefore) {
            this.takesBefore = takesBefore;
        }
    }

    private final EtcdTimer timer;
    private final Predicate<ByteString> isWatched;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ByteString, Released> released = new HashMap<>();
    private final AtomicLong takes = new AtomicLong();
    private final NavigableSet<Long> underWay = new ConcurrentSkipListSet<>();

    /** {@code isWatched} says whether entries of a lease are watched whose deletion was not reported yet. */
    ReleaseOrder(EtcdTimer timer, Predicate<ByteString> isWatched) {
        this.timer = timer;
        this.isWatched = isWatched;
    }

    /** A take is sent that may end in a queue; returns what to hand to {@link #taken}. */
    long taking() {
        long number = takes.incrementAndGet();
        underWay.add(number);
        return number;
    }

    /** The take has ended, and what it waits for is watched. */
    void taken(long number) {
        underWay.remove(number);
    }

    /** An entry of this lease was deleted, for which these wait. */
    void deleted(ByteString lease, List<Listener> listeners) {
        if (listeners.isEmpty()) {
            return;
        }
        boolean first;
        lock.lock();
        try {
            first = !released.containsKey(lease);
            released.computeIfAbsent(lease, any -> new Released(takes.get()))
                    .waiting
                    .add(new Waiting(listeners.get(0).awaits(), listeners));
        } finally {
            lock.unlock();
        }
        serveIfComplete(lease, first);
    }

    /** Whether entries of this lease were deleted a moment ago; then the listener is notified with the others. */
    boolean joins(ByteString lease, Listener listener) {
        lock.lock();
        try {
            Released of = released.get(lease);
            return of != null && of.waiting.add(new Waiting(listener.awaits(), List.of(listener)));
        } finally {
            lock.unlock();
        }
    }

    private void serveIfComplete(ByteString lease, boolean checksAgain) {
        Released complete = null;
        boolean watched = isWatched.test(lease); // before the lock: the watches have their own
        lock.lock();
        try {
            Released of = released.get(lease);
            if (of == null) {
                return;
            }
            if (System.nanoTime() - of.since > LONGEST || (!watched && !isTakenBefore(of.takesBefore))) {
                complete = released.remove(lease);
            }
        } finally {
            lock.unlock();
        }
        if (complete != null) {
            serve(complete.waiting);
        } else if (checksAgain) {
            Future<?> unused = timer.later(() -> serveIfComplete(lease, true), AGAIN);
        }
    }

    private boolean isTakenBefore(long number) {
        return underWay.floor(number) != null;
    }

    private static void serve(List<Waiting> waiting) {
        List<Waiting> ordered = new ArrayList<>(waiting);
        ordered.sort(Comparator.comparing(Waiting::key).reversed());
        if (ordered.size() > MOST_IN_ORDER) {
            ordered.forEach(each -> each.listeners().forEach(listener -> listener.deleted(() -> {})));
        } else {
            serve(ordered.iterator());
        }
    }

    private static void serve(Iterator<Waiting> keys) {
        if (keys.hasNext()) {
            List<Listener> ofKey = keys.next().listeners();
            ofKey.subList(1, ofKey.size()).forEach(each -> each.deleted(() -> {}));
            ofKey.get(0).deleted(() -> serve(keys));
        }
    }
}
