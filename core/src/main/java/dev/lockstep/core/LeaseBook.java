package dev.lockstep.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every grip of one {@link Locks} that the store may still know, spread over pages so that threads seldom meet. A holder and
 * all its grips stay on one page, under one lock.
 */
final class LeaseBook {
    private final Page[] pages = new Page[Math.max(64, 8 * Runtime.getRuntime().availableProcessors())];
    private final AtomicInteger nextPage = new AtomicInteger();

    LeaseBook() {
        for (int i = 0; i < pages.length; i++) {
            pages[i] = new Page();
        }
    }

    Holder newHolder() {
        return new Holder(pages[Math.floorMod(nextPage.getAndIncrement(), pages.length)]);
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

    /** One page: a linked list of grips and the lock for them and their holders. */
    static final class Page extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private transient @Nullable Grip first;

        void add(Grip grip) {
            Grip after = first;
            grip.nextOnPage = after;
            if (after != null) {
                after.previousOnPage = grip;
            }
            first = grip;
        }

        void remove(Grip grip) {
            Grip before = grip.previousOnPage;
            Grip after = grip.nextOnPage;
            if (before == null) {
                first = after;
            } else {
                before.nextOnPage = after;
            }
            if (after != null) {
                after.previousOnPage = before;
            }
            grip.previousOnPage = null;
            grip.nextOnPage = null;
        }

        private void forEach(Consumer<Grip> action) {
            for (Grip grip = first; grip != null; ) {
                Grip following = grip.nextOnPage;
                action.accept(grip);
                grip = following;
            }
        }
    }
}
