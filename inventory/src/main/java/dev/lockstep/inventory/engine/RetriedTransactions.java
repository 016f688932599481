package dev.lockstep.inventory.engine;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.sql.CommitInDoubtException;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.DatabaseFailure;
import dev.lockstep.inventory.sql.Fault;
import dev.lockstep.inventory.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Small transactions beside sales, each of them run again after a conflict. They can be repeated without harm. */
record RetriedTransactions(Database database, LockClock clock, String what) {
    private static final RetryPolicy AGAIN = RetryPolicy.exponential(Duration.ofMillis(10), 2, Duration.ofMillis(200))
            .withJitter(0.5)
            .withAttempts(8);

    /** Runs some statements in their own transaction. */
    <T> T commit(Database.Question<T> step) {
        try {
            return AGAIN.call(() -> commitOnce(step), RetriedTransactions::isWorthAnother, clock);
        } catch (SQLException e) {
            throw DatabaseFailure.of(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException(ErrorCode.INTERRUPTED, what + " was interrupted", List.of(), e);
        } catch (Exception e) { // a commit without an answer: the next run sees what became of it
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, what + " failed: " + e.getMessage(), List.of(), e);
        }
    }

    private <T> T commitOnce(Database.Question<T> step) throws SQLException, ConflictException, CommitInDoubtException {
        try (Session session = database.begin()) {
            T result = session.run(connection -> step.ask(database.tables(session), connection));
            session.commit();
            return result;
        }
    }

    private static boolean isWorthAnother(Exception error) {
        return error instanceof ConflictException
                || (error instanceof SQLException sql
                        && (Fault.of(sql) == Fault.CONFLICT || Fault.of(sql) == Fault.TIMEOUT));
    }
}
