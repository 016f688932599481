package dev.lockstep.inventory;

import java.util.List;
import java.util.Objects;

/** The database didn't answer to a commit: it may have been done. */
final class InDoubtException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<PendingCommand> works;

    InDoubtException(Throwable cause) {
        this(cause, List.of());
    }

    private InDoubtException(Throwable cause, List<PendingCommand> works) {
        super("The answer to a commit was lost: " + cause.getMessage(), cause);
        this.works = works;
    }

    /** The same about these commands, which were in the transaction. */
    InDoubtException of(List<PendingCommand> settled) {
        return new InDoubtException(Objects.requireNonNullElse(getCause(), this), settled);
    }

    /** The commands that were in the transaction; empty if they are not known. */
    List<PendingCommand> works() {
        return works;
    }
}
