package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.sql.CommitInDoubtException;
import java.util.List;
import java.util.Objects;

/** The same about certain commands, which were in the transaction. */
final class InDoubtException extends CommitInDoubtException {
    private static final long serialVersionUID = 1L;

    private final transient List<PendingCommand> works;

    InDoubtException(CommitInDoubtException doubt, List<PendingCommand> works) {
        super(Objects.requireNonNullElse(doubt.getCause(), doubt));
        this.works = works;
    }

    List<PendingCommand> works() {
        return works;
    }
}
