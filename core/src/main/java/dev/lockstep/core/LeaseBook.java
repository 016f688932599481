package dev.lockstep.core;

import dev.lockstep.core.internal.BriefLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Every grip of one {@link Locks} that the store may still know, spread over pages so that threads seldom meet. A holder and all
 * its grips stay on one page, under one lock.
 */
final class LeaseBook {
    /** Threads that start together get pages that lie apart, so that they don't share a cache line. */
    private static final int STRIDE = 7;

    private final Page[] pages = new Page[Math.max(64, 8 * Runtime.getRuntime().availableProcessors())];
    private final AtomicInteger nextPage = new AtomicInteger();

    LeaseBook() {
        for (int i = 0; i < pages.length; i++) {
            pages[i] = new Page();
        }
    }

    Holder newHolder() {
        return new Holder(pages[Math.floorMod(nextPage.getAndIncrement() * STRIDE, pages.length)]);
    }

    /** Calls for each grip, under its page's lock. */
    void forEach(Consumer<Grip> action) {
        for (Page page : pages) {
            page.lock();
            try {
                page.forEach(action);
            } finally {
                page.unlock();
            }
        }
    }

    List<Grip> grips() {
        List<Grip> grips = new ArrayList<>();
        forEach(grips::add);
        return grips;
    }

    /** How many of them are held, and how many are being asked for. */
    LockFigures figures() {
        int[] counts = new int[2];
        forEach(grip -> {
            counts[0] += grip.isStanding() ? 1 : 0;
            counts[1] += grip.isAsking() ? 1 : 0;
        });
        return new LockFigures(counts[0], counts[1]);
    }

    /** One page: holders and their grips, lost grips that the store still knows, and the lock for all of them. */
    static final class Page extends BriefLock {
        private static final int SMALL = 16;

        private final List<Holder> holders = new ArrayList<>();
        private final List<Grip> lost = new ArrayList<>();
        private int sweepAt = SMALL;

        void add(Holder holder) {
            if (holders.size() >= sweepAt) {
                holders.removeIf(Holder::leavePageIfIdle);
                sweepAt = Math.max(SMALL, 2 * holders.size());
            }
            holders.add(holder);
        }

        void addLost(Grip grip) {
            lost.add(grip);
        }

        void removeLost(Grip grip) {
            lost.remove(grip);
        }

        private void forEach(Consumer<Grip> action) {
            holders.removeIf(Holder::leavePageIfIdle);
            List.copyOf(holders).forEach(holder -> holder.grips().forEach(action));
            List.copyOf(lost).forEach(action);
        }
    }
}
