package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests that were held up only because another key uses the same row, as far as this process can know. */
final class SharedRows {
    private final Collection<JdbcGrant> grants;
    private final LongAdder count = new LongAdder();

    SharedRows(Collection<JdbcGrant> grants) {
        this.grants = grants;
    }

    long count() {
        return count.sum();
    }

    /** To be called when a request finds one of its rows taken. */
    void heldUp(List<ServerLock> wanted) {
        for (ServerLock lock : wanted) {
            List<JdbcGrant> holders = grants.stream()
                    .filter(grant -> grant.locks.stream().anyMatch(held -> held.conflictsWith(lock)))
                    .toList();
            if (!holders.isEmpty()) {
                if (holders.stream()
                        .noneMatch(grant -> names(grant, lock.wanted().key()))) {
                    count.increment();
                }
                return;
            }
        }
    }

    private static boolean names(JdbcGrant grant, LockKey key) {
        return grant.request.plan().locks().stream().anyMatch(lock -> lock.key().equals(key));
    }
}
