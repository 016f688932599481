package dev.lockstep.core.engine;

import dev.lockstep.core.LockFigures;
import dev.lockstep.core.Locks;
import dev.lockstep.core.internal.BriefLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Every store lease of one {@link Locks} that the store may still know, spread over stripes so that threads seldom meet. A holder and all
 * its store leases stay on one stripe, under one lock.
 */
final class HolderTable {
    /** Threads that start together get stripes at a distance, so that they don't share a cache line. */
    private static final int STRIDE = 7;

    private final Stripe[] stripes =
            new Stripe[Math.max(64, 8 * Runtime.getRuntime().availableProcessors())];
    private final AtomicInteger nextStripe = new AtomicInteger();
    private final LockSettings settings;

    HolderTable(LockSettings settings) {
        this.settings = settings;
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    Holder newHolder() {
        return Holder.root(settings, stripes[Math.floorMod(nextStripe.getAndIncrement() * STRIDE, stripes.length)]);
    }

    /** Calls for each store lease of a holder that has new ones since the last time, under its stripe's lock. */
    void forEachUnseen(Consumer<StoreLease> action) {
        for (Stripe stripe : stripes) {
            if (stripe.hasUnseen) {
                stripe.lock();
                try {
                    stripe.forEachUnseen(action);
                } finally {
                    stripe.unlock();
                }
            }
        }
    }

    /** Calls for each store lease, under its stripe's lock. */
    void forEach(Consumer<StoreLease> action) {
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                stripe.forEach(action);
            } finally {
                stripe.unlock();
            }
        }
    }

    List<StoreLease> storeLeases() {
        List<StoreLease> storeLeases = new ArrayList<>();
        forEach(storeLeases::add);
        return storeLeases;
    }

    /** Whether there is a store lease like this, or one whose release is under way. */
    boolean isUsed(Predicate<StoreLease> used) {
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                if (stripe.releasesBegun != stripe.releasesEnded || stripe.anyMatch(used)) {
                    return true;
                }
            } finally {
                stripe.unlock();
            }
        }
        return false;
    }

    /** How many of them are held, and how many are being asked for. */
    LockFigures figures() {
        int[] counts = new int[2];
        forEach(storeLease -> {
            counts[0] += storeLease.isStanding() ? 1 : 0;
            counts[1] += storeLease.isAsking() ? 1 : 0;
        });
        return new LockFigures(counts[0], counts[1]);
    }

    /** One stripe: holders and their store leases, lost store leases that the store still knows, and the lock for all of them. */
    static final class Stripe extends BriefLock {
        private static final AtomicIntegerFieldUpdater<Stripe> ENDED =
                AtomicIntegerFieldUpdater.newUpdater(Stripe.class, "releasesEnded");
        private static final int SMALL = 16;

        private final List<Holder> holders = new ArrayList<>();
        private final List<StoreLease> lost = new ArrayList<>();
        private final List<Holder> unseen = new ArrayList<>();
        private volatile boolean hasUnseen;
        private int releasesBegun;
        private volatile int releasesEnded;
        private int sweepAt = SMALL;
        private int sweepUnseenAt = SMALL;

        void add(Holder holder) {
            if (holders.size() >= sweepAt) {
                holders.removeIf(Holder::leaveIfIdle);
                sweepAt = Math.max(SMALL, 2 * holders.size());
            }
            holders.add(holder);
        }

        /** Holders whose requests were refused leave again before they are seen. */
        private boolean anyMatch(Predicate<StoreLease> wanted) {
            return lost.stream().anyMatch(wanted)
                    || holders.stream()
                            .anyMatch(holder -> holder.storeLeases().stream().anyMatch(wanted));
        }

        void addUnseen(Holder holder) {
            if (unseen.size() >= sweepUnseenAt) {
                unseen.removeIf(Holder::leaveUnseenIfIdle);
                sweepUnseenAt = Math.max(SMALL, 2 * unseen.size());
            }
            unseen.add(holder);
            hasUnseen = true;
        }

        private void forEachUnseen(Consumer<StoreLease> action) {
            for (Holder holder : unseen) {
                holder.storeLeases().forEach(action);
            }
            unseen.forEach(Holder::seen);
            unseen.clear();
            hasUnseen = false;
        }

        /** The store leases of a holder, its parents and all their children. */
        List<StoreLease> family(long id) {
            List<StoreLease> family = new ArrayList<>();
            holders.stream().filter(holder -> holder.id == id).forEach(holder -> family.addAll(holder.storeLeases()));
            return family;
        }

        void releaseBegun() {
            releasesBegun++;
        }

        /** Called without the lock. */
        void releaseEnded() {
            ENDED.getAndIncrement(this);
        }

        void addLost(StoreLease storeLease) {
            lost.add(storeLease);
        }

        void removeLost(StoreLease storeLease) {
            lost.remove(storeLease);
        }

        private void forEach(Consumer<StoreLease> action) {
            holders.removeIf(Holder::leaveIfIdle);
            List.copyOf(holders).forEach(holder -> holder.storeLeases().forEach(action));
            List.copyOf(lost).forEach(action);
        }
    }
}
