package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Which leases are renewed in which call
 * --------------------------------------
 * Leases that depend on the same part of the store form a group (LockStore.renewedWith). A group has one call at a time: whatever becomes
 * due meanwhile goes into its next call, so the calls grow with the load and their number doesn't.
 *
 * A call that takes long doesn't show which of its leases is the cause: one connection may be dead while the others are fine. The same
 * leases are then renewed in several smaller calls, and those of a small call that takes long one by one. Extending a lease twice does no
 * harm. As soon as a small call has ended, or has come down to one lease, the group continues without the slow call. A lease whose own call
 * takes long is suspect, and is renewed in separate small calls. One whose call responded in the end is slow until a call for it is quick: in a
 * store with several groups it has its own call when it is its group's turn, so that it doesn't depend on small calls of other groups.
 *
 * The number of threads is bounded. Up to a limit, calls that take long don't count among the running ones, and small calls have a separate
 * limit. In a store with several groups, a group gets no third call while two of its calls take long, and one thread at most serves groups
 * that have such a call. So a group that doesn't respond costs two threads, however many leases it has, and the others continue until the
 * groups that don't respond have taken all threads. In a store with one group there is nothing to keep threads for.
 */
final class RenewalCalls {
    /** Does the work of a call. */
    interface Store {
        /** Renews leases; returns whether the store responded. Never throws. */
        boolean renew(List<StoreLease> storeLeases);

        /** Records that leases could not be renewed. */
        void failed(List<StoreLease> storeLeases, Throwable error);
    }

    private static final int LARGEST_CALL = 1_000;
    private static final int NORMAL = 6;

    /** Of these, the calls of groups that have a slow call, in a store with several groups. */
    private static final int BESIDE_SLOW = 1;

    private static final int SMALL = 2;
    private static final int SLOW = 6;
    private static final int PARTS = 8;

    /** The slow calls of one group, in a store with several groups. */
    private static final int SLOW_PER_GROUP = 2;

    /** The maximum number of threads. */
    static final int THREADS = NORMAL + SMALL + SLOW;

    /** A call takes long when this fraction of the shortest term of its leases has passed. */
    private static final int PATIENCE = 15;

    private final LockClock clock;
    private final Executor threads;
    private final Store store;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Group> groups = new HashMap<>();
    private final Queue<Call> waiting = new ArrayDeque<>();
    private final Queue<Call> waitingBesideSlow = new ArrayDeque<>();
    private final Queue<Call> waitingSmall = new ArrayDeque<>();
    private final List<Call> running = new ArrayList<>();
    private LongConsumer onCall = time -> {};
    private boolean severalGroups;
    private int normalRunning;
    private int besideSlowRunning;
    private int smallRunning;
    private int slowRunning;

    RenewalCalls(LockClock clock, Executor threads, Store store) {
        this.clock = clock;
        this.threads = threads;
        this.store = store;
    }

    /** {@code action} is called with the time by which a started call has to be inspected. */
    void onCall(LongConsumer action) {
        onCall = action;
    }

    private static final class Group {
        final Object key;
        final Queue<StoreLease> pending = new ArrayDeque<>();

        @Nullable
        Call current;

        /** Whether a lease of the current call was found to be the cause of its slowness. */
        boolean hasSuspect;

        /** Its calls, queued or running. */
        int calls;

        /** Its running calls that take long. */
        int slow;

        Group(Object key) {
            this.key = key;
        }
    }

    private enum Count {
        NORMAL,
        BESIDE_SLOW,
        SMALL,
        SLOW
    }

    private static final class Call {
        final Group group;
        final List<StoreLease> storeLeases;
        final boolean small;
        final long patience;
        Count count;
        long startedAt;
        boolean tookLong;

        Call(Group group, List<StoreLease> storeLeases, boolean small) {
            this.group = group;
            this.storeLeases = storeLeases;
            this.small = small;
            group.calls++;
            count = small ? Count.SMALL : Count.NORMAL;
            long shortest = Long.MAX_VALUE;
            for (StoreLease storeLease : storeLeases) {
                shortest = Math.min(shortest, storeLease.leaseTerm().rule().nanos());
            }
            patience = shortest / PATIENCE;
        }

        long takesLongAt() {
            return startedAt + patience;
        }
    }

    // ---- what is to be done

    /** Queues a lease for its group's next call; {@link #start} must follow. */
    void add(StoreLease storeLease, Object key) {
        lock.lock();
        try {
            Group group = groups.computeIfAbsent(key, Group::new);
            severalGroups |= groups.size() > 1;
            if (storeLease.isSuspect() || (storeLease.isSlow() && !severalGroups)) {
                waitingSmall.add(new Call(group, List.of(storeLease), true));
            } else {
                group.pending.add(storeLease);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts the calls that may run now. */
    void start() {
        List<Call> started;
        lock.lock();
        try {
            groups.values().forEach(this::callNext);
            started = takeRunnable();
        } finally {
            lock.unlock();
        }
        execute(started);
    }

    private void callNext(Group group) {
        if (group.current != null || group.pending.isEmpty()) {
            return;
        }
        group.hasSuspect = false;
        group.current = new Call(group, takePending(group.pending), false);
        (group.slow == 0 ? waiting : waitingBesideSlow).add(group.current);
    }

    /** Takes the leases of one call: several, or one that is slow. */
    private static List<StoreLease> takePending(Queue<StoreLease> pending) {
        List<StoreLease> taken = new ArrayList<>();
        boolean alone = false;
        for (StoreLease next = pending.peek(); next != null && !alone; next = pending.peek()) {
            alone = next.isSlow();
            if (taken.size() == LARGEST_CALL || (alone && !taken.isEmpty())) {
                break;
            }
            taken.add(pending.remove());
        }
        return taken;
    }

    private List<Call> takeRunnable() {
        List<Call> started = new ArrayList<>();
        take(waitingBesideSlow, this::mayStartBesideSlow, Count.BESIDE_SLOW, started);
        take(waiting, call -> normalRunning < NORMAL, Count.NORMAL, started);
        take(waitingSmall, call -> smallRunning < SMALL && mayBecomeSlow(call), Count.SMALL, started);
        started.forEach(call -> call.startedAt = clock.nanos());
        running.addAll(started);
        return started;
    }

    private void take(Queue<Call> queue, Predicate<Call> mayStart, Count count, List<Call> started) {
        for (Iterator<Call> calls = queue.iterator(); calls.hasNext() && isFree(count); ) {
            Call call = calls.next();
            if (mayStart.test(call)) {
                calls.remove();
                call.count = count;
                count(call, 1);
                started.add(call);
            }
        }
    }

    private boolean isFree(Count count) {
        return count == Count.SMALL ? smallRunning < SMALL : normalRunning < NORMAL;
    }

    private boolean mayStartBesideSlow(Call call) {
        return !severalGroups || (besideSlowRunning < BESIDE_SLOW && mayBecomeSlow(call));
    }

    private boolean mayBecomeSlow(Call call) {
        return !severalGroups || call.group.slow < SLOW_PER_GROUP;
    }

    // ---- calls

    private void execute(Collection<Call> calls) {
        Queue<Call> started = new ArrayDeque<>(calls);
        for (Call call = started.poll(); call != null; call = started.poll()) {
            try {
                Call each = call;
                threads.execute(() -> run(each));
                onCall.accept(call.takesLongAt());
            } catch (RuntimeException | Error e) { // no thread could be started
                store.failed(call.storeLeases, e);
                started.addAll(finished(call, false));
            }
        }
    }

    /** Runs a call and then, on the same thread, one of those that had to wait for it. */
    private void run(Call call) {
        for (Call next = call; next != null; ) {
            boolean responded = false;
            Queue<Call> started;
            try {
                responded = store.renew(next.storeLeases);
            } finally {
                started = new ArrayDeque<>(finished(next, responded));
            }
            next = started.poll();
            execute(started);
            if (next != null) {
                onCall.accept(next.takesLongAt());
            }
        }
    }

    /** Returns the calls that may run now that this one has ended. */
    private List<Call> finished(Call call, boolean responded) {
        lock.lock();
        try {
            running.remove(call);
            count(call, -1);
            call.group.calls--;
            if (call.tookLong) {
                call.group.slow--;
                queueAsNormal(call.group);
            }
            if (call.storeLeases.size() == 1 && responded) {
                call.storeLeases.get(0).respondedAlone(call.tookLong);
            }
            Call current = call.group.current;
            if (current == call || (current != null && current.tookLong)) {
                continueGroup(call.group);
            }
            forgetIfIdle(call.group);
            return takeRunnable();
        } finally {
            lock.unlock();
        }
    }

    /** A group without a slow call doesn't wait with those that have one. */
    private void queueAsNormal(Group group) {
        if (group.slow == 0 && group.current != null && waitingBesideSlow.remove(group.current)) {
            waiting.add(group.current);
        }
    }

    /** Lets a group have its next call, after its current one or beside it. */
    private void continueGroup(Group group) {
        group.current = null;
        callNext(group);
        forgetIfIdle(group);
    }

    private void forgetIfIdle(Group group) {
        if (group.current == null && group.pending.isEmpty() && group.calls == 0) {
            groups.remove(group.key, group);
        }
    }

    private void count(Call call, int change) {
        switch (call.count) {
            case NORMAL -> normalRunning += change;
            case BESIDE_SLOW -> {
                normalRunning += change;
                besideSlowRunning += change;
            }
            case SMALL -> smallRunning += change;
            case SLOW -> slowRunning += change;
        }
    }

    // ---- calls that take long

    /** Renews the leases of slow calls in smaller calls. Returns when to inspect the calls again, in nanoseconds since {@code origin}. */
    long inspect(long now, long origin) {
        List<Call> started;
        long next = DueTimes.NEVER;
        lock.lock();
        try {
            List<Call> slow = new ArrayList<>();
            for (Call call : running) {
                if (now - call.takesLongAt() < 0) {
                    next = Math.min(next, call.takesLongAt() - origin);
                } else {
                    slow.add(call);
                }
            }
            slow.forEach(this::takesLong);
            for (Call call : slow) {
                if (call.group.current == call && maySkip(call)) {
                    continueGroup(call.group);
                }
            }
            started = takeRunnable();
        } finally {
            lock.unlock();
        }
        execute(started);
        return next;
    }

    private void countAsSlow(Call call) {
        if (call.count != Count.SLOW && slowRunning < SLOW) {
            count(call, -1);
            call.count = Count.SLOW;
            count(call, 1);
        }
    }

    private void takesLong(Call call) {
        countAsSlow(call);
        if (call.tookLong) {
            return;
        }
        call.tookLong = true;
        call.group.slow++;
        if (call.storeLeases.size() > 1) {
            renewInParts(call);
        } else {
            call.storeLeases.get(0).suspect();
            call.group.hasSuspect = true;
        }
    }

    /**
     * Whether a group may have its next call beside this one, which takes long: once it is known which lease is the cause, or none is left, or no
     * small call can find out.
     */
    private boolean maySkip(Call call) {
        return call.group.hasSuspect
                || call.storeLeases.size() == 1
                || smallRunning == SMALL
                || call.storeLeases.stream().noneMatch(StoreLease::isBeingRenewed);
    }

    private void renewInParts(Call call) {
        List<StoreLease> left =
                call.storeLeases.stream().filter(StoreLease::isBeingRenewed).toList();
        int size = call.small ? 1 : (left.size() + PARTS - 1) / PARTS;
        for (int from = 0; from < left.size(); from += size) {
            waitingSmall.add(new Call(call.group, left.subList(from, Math.min(from + size, left.size())), true));
        }
    }
}
