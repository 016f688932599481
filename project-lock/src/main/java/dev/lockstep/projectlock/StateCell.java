package dev.lockstep.projectlock;

import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import dev.lockstep.projectlock.ProjectLockState.Requesting;

/** The current state of the lock, visible to all threads. */
final class StateCell {
    private volatile ProjectLockState state = new Idle();

    ProjectLockState now() {
        return state;
    }

    /** Enters a state and returns it, so that the next one can only come out of it. */
    synchronized <S extends ProjectLockState> S enter(S next) {
        state = next;
        return next;
    }

    /** Leaves a failure behind, unless an acquire has begun meanwhile. */
    synchronized void recover() {
        if (state instanceof Faulted faulted) {
            state = faulted.released();
        }
    }

    /** Begins to acquire, from the start: also after a failure, which leaves nothing behind. */
    Requesting begin() {
        return enter(new Idle().acquire());
    }
}
