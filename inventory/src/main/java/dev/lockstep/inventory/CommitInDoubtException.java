package dev.lockstep.inventory;

/** The database didn't answer to a commit: it may have been done. */
class CommitInDoubtException extends Exception {
    private static final long serialVersionUID = 1L;

    CommitInDoubtException(Throwable cause) {
        super("The answer to a commit was lost: " + cause.getMessage(), cause);
    }
}
