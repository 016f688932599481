package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.books.CompletedRequest;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.sql.CommitInDoubtException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of commands whose commit got no response. It reads only after it has locked their rows: as long as the
 * lost transaction may still be committed it holds these locks, and a read without them would find nothing.
 */
final class InDoubtResolver {
    private static final RetryPolicy PAUSES = RetryPolicy.exponential(Duration.ofMillis(50), 2, Duration.ofMillis(500))
            .withJitter(0.5);

    private final Database database;
    private final LockClock clock;
    private final Duration patience;

    InDoubtResolver(Database database, LockClock clock, Duration patience) {
        this.database = database;
        this.clock = clock;
        this.patience = patience;
    }

    /** Completes the commands. */
    void resolve(List<PendingCommand> works, CommitInDoubtException doubt) {
        try {
            Map<String, CompletedRequest> completed = lookUp(works);
            works.forEach(work -> answer(work, completed.get(work.requestId()), doubt));
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            String cause = doubt.getMessage() + "; and it could not be looked up: " + e.getMessage();
            works.forEach(work -> work.complete(new Unknown(work.requestId(), cause)));
        }
    }

    private static void answer(
            PendingCommand work, @Nullable CompletedRequest completed, CommitInDoubtException doubt) {
        work.complete(
                completed != null && completed.hash().equals(work.hash())
                        ? completed.outcome()
                        : new Failed(work.requestId(), doubt));
    }

    /** The commands that were done. Waits for a transaction that may still commit. */
    Map<String, CompletedRequest> lookUp(List<PendingCommand> works) throws Exception {
        Deadline deadline = Deadline.in(patience, clock);
        return PAUSES.within(patience).call(() -> lookOnce(works, deadline), SQLException.class::isInstance, clock);
    }

    private Map<String, CompletedRequest> lookOnce(List<PendingCommand> works, Deadline deadline) throws SQLException {
        return database.query((tables, connection) -> {
            tables.read(connection, Keys.of(works), ReadMode.locked(deadline));
            return tables.journal(connection, PendingCommand.requestIds(works)).completed(connection, tables);
        });
    }
}
