package dev.lockstep.projectlock;

import dev.lockstep.projectlock.ProjectLockState.Idle;
import dev.lockstep.projectlock.ProjectLockState.Requesting;

/** Where the lock stands now, for everyone to see. */
final class StateCell {
    private volatile ProjectLockState state = new Idle();

    ProjectLockState now() {
        return state;
    }

    /** Enters a state; answers it, so that the next one can only come out of it. */
    <S extends ProjectLockState> S enter(S next) {
        state = next;
        return next;
    }

    /** Begins to acquire, from the start: also after a failure, which leaves nothing behind. */
    Requesting begin() {
        return enter(new Idle().acquire());
    }
}
