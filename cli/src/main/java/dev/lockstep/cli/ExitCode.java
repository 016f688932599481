package dev.lockstep.cli;

import dev.lockstep.core.ErrorCode;

/** The exit codes of the command. */
enum ExitCode {
    /** Done, and all is as it should be. */
    OK(0),
    /** Looked, and something is not as it should be: a behaviour, a finding, missing rows. */
    NOT_AS_IT_SHOULD(1),
    /** The command line is wrong. */
    USAGE(2),
    /** The store can't be reached. */
    UNREACHABLE(3),
    /** The store was reached and refused: rights, missing tables, another product. */
    REFUSED(4),
    /** Looked, and saw nothing, because what others hold can't be seen there. */
    UNSEEN(5),
    /** Another holder had the lock for the whole wait. */
    BUSY(75),
    /** The lock was lost while it was needed. */
    LOST(76),
    /** A mistake of this program. */
    BUG(70),
    /** Ended by Ctrl-C. */
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static ExitCode of(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST -> USAGE;
            case STORE_UNAVAILABLE -> UNREACHABLE;
            case INTERRUPTED -> INTERRUPTED;
            default -> REFUSED;
        };
    }
}
