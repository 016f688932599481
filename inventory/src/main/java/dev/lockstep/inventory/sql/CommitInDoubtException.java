package dev.lockstep.inventory.sql;

/** The database didn't answer to a commit: it may have been done. */
public class CommitInDoubtException extends Exception {
    private static final long serialVersionUID = 1L;

    public CommitInDoubtException(Throwable cause) {
        super("The answer to a commit was lost: " + cause.getMessage(), cause);
    }
}
