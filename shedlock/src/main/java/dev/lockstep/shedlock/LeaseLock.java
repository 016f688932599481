package dev.lockstep.shedlock;

import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** ShedLock's handle of a lock: unlocked or extended once. */
final class LeaseLock extends AbstractSimpleLock {
    private final JobHold hold;
    private final HoldTimes times;

    LeaseLock(LockConfiguration configuration, JobHold hold, HoldTimes times) {
        super(configuration);
        this.hold = hold;
        this.times = times;
    }

    @Override
    protected void doUnlock() {
        hold.unlock(times);
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration next) {
        HoldTimes extended = HoldTimes.from(next);
        return hold.extend(times, extended, next.getLockAtLeastFor())
                ? Optional.of(new LeaseLock(next, hold, extended))
                : Optional.empty();
    }
}
