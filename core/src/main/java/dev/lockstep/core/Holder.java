package dev.lockstep.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Whose locks they are: a thread, or the tasks bound to a lease. Its grips, the latest first, are guarded by the lock of its
 * page in the {@link LeaseBook}.
 *
 * <p>A holder comes on its page with its first grip and stays there, between grips too, until somebody looks through the page and
 * finds it idle.
 */
final class Holder {
    private static final AtomicLong IDS = new AtomicLong(1);

    final long id = IDS.getAndIncrement();
    final LeaseBook.Page page;
    private final LeaseIds ids = new LeaseIds();
    private @Nullable Grip latest;
    private boolean onPage;

    Holder(LeaseBook.Page page) {
        this.page = page;
    }

    long nextLeaseNumber() {
        return ids.next();
    }

    boolean holdsNothing() {
        return latest == null;
    }

    void add(Grip grip) {
        grip.earlierOfHolder = latest;
        latest = grip;
        if (!onPage) {
            onPage = true;
            page.add(this);
        }
    }

    void remove(Grip grip) {
        if (latest == grip) {
            latest = grip.earlierOfHolder;
            return;
        }
        for (Grip each = latest; each != null; each = each.earlierOfHolder) {
            if (each.earlierOfHolder == grip) {
                each.earlierOfHolder = grip.earlierOfHolder;
                return;
            }
        }
    }

    boolean leavePageIfIdle() {
        onPage = latest != null;
        return !onPage;
    }

    List<Grip> grips() {
        List<Grip> grips = new ArrayList<>();
        for (Grip each = latest; each != null; each = each.earlierOfHolder) {
            grips.add(each);
        }
        return grips;
    }
}
