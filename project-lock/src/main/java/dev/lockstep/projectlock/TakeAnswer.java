package dev.lockstep.projectlock;

import java.util.Optional;

/** What came of trying to take the project. */
sealed interface TakeAnswer {
    /**
     * It is held.
     *
     * @param replaced the unreadable record that was in its place, as an error
     */
    record Taken(HeldProject hold, Optional<ProjectLockException> replaced) implements TakeAnswer {}

    /** It is not: another holds it, or an unknown one. */
    record Refused(ProjectLockException why) implements TakeAnswer {}
}
