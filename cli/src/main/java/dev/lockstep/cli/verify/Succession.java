package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;

/**
 * A lease that came after another one.
 *
 * @param met whether the one before could still be counted on when the next was acquired
 */
record Succession(Lease next, boolean met) {
    /** Asks for what another lease has, and waits for it. */
    static Work<Succession> start(Lease before, Locks heir, LockKey key) {
        return Work.start("heir", () -> {
            Lease next = heir.acquire(exclusive(key));
            return new Succession(next, before.isHeld());
        });
    }
}
