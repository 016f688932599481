package dev.lockstep.jdbc;

import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.SqlFault;
import dev.lockstep.jdbc.sql.StatementTag;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** One request on the connection of the caller's transaction. */
final class TransactionAcquisition {
    private final DatabaseStore store;
    private final Dialect dialect;
    private final LockSession session;
    private final TransactionRequest request;
    private boolean undone;

    TransactionAcquisition(DatabaseStore store, LockSession session, TransactionRequest request) {
        this.store = store;
        this.session = session;
        this.request = request;
        dialect = store.dialect;
    }

    Predicate<ServerLock> stillHeld() throws SQLException {
        return call(() -> dialect.stillHeld(session));
    }

    void checkServer() throws SQLException {
        call(() -> {
            dialect.checkForCaller(session);
            return true;
        });
    }

    /** Whether the transaction is as it was before a request that failed. */
    boolean isUndone() {
        return undone;
    }

    /** Acquires all of the locks, those included that the transaction may hold already; empty if some are held by others. */
    Optional<FencingToken> take(List<ServerLock> rows, List<PlannedLock> held) throws SQLException {
        Optional<FencingToken> token =
                dialect.releasesNested() ? inSubtransaction(rows, held) : acquireInOrder(rows, held);
        if (token.isPresent()) {
            call(() -> {
                dialect.markForCaller(session);
                return true;
            });
        }
        return token;
    }

    private Optional<FencingToken> inSubtransaction(List<ServerLock> rows, List<PlannedLock> held) throws SQLException {
        execute("SAVEPOINT lockstep_transaction");
        Optional<FencingToken> token = Optional.empty();
        try {
            token = acquireInOrder(rows, held);
        } finally {
            if (token.isEmpty() && !session.isDead()) {
                execute("ROLLBACK TO SAVEPOINT lockstep_transaction; RELEASE SAVEPOINT lockstep_transaction");
                undone = true;
            }
        }
        if (token.isPresent()) {
            execute("RELEASE SAVEPOINT lockstep_transaction");
        }
        return token;
    }

    private Optional<FencingToken> acquireInOrder(List<ServerLock> rows, List<PlannedLock> held) throws SQLException {
        List<ServerLock> rest = rows;
        while (!rest.isEmpty()) {
            List<ServerLock> now = rest;
            Dialect.Progress progress = call(() -> dialect.tryAll(session, now));
            ServerAcquisition.requirePrimary(progress.state(), request);
            if (progress.blockedAt() < 0) {
                return Optional.of(store.token(progress.state()));
            }
            ServerLock blocked = rest.get(progress.blockedAt());
            request.heldUpAt(blocked);
            if (!await(blocked, held)) {
                return Optional.empty();
            }
            rest = rest.subList(progress.blockedAt() + 1, rest.size());
        }
        Dialect.ServerState state = call(() -> dialect.confirm(session, ""));
        ServerAcquisition.requirePrimary(state, request);
        return Optional.of(store.token(state));
    }

    private boolean await(ServerLock lock, List<PlannedLock> held) throws SQLException {
        while (!request.deadline().passed()) {
            try {
                String tag = tag(lock.indexIn(request.plan()));
                call(() -> {
                    dialect.await(session, lock, request.deadline().remaining(), tag);
                    return true;
                });
                return true;
            } catch (SQLException e) {
                SqlFault fault = SqlFault.of(e);
                if (fault == SqlFault.DEADLOCK) {
                    DeadlockReport report = store.inspector().report(request, request.since(), held, lock, e);
                    throw new DeadlockException(report, request.keys());
                }
                if (fault != SqlFault.WAIT_TIMEOUT && fault != SqlFault.BUSY) {
                    throw e;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new LockException(
                            ErrorCode.INTERRUPTED, "Interrupted while waiting for " + lock.wanted(), request.keys(), e);
                }
            }
        }
        return false;
    }

    private String tag(int waitsFor) {
        return StatementTag.comment(store.namespace(), List.of(StatementTag.part(request, request.since(), waitsFor)));
    }

    private void execute(String sql) throws SQLException {
        call(() -> session.statement().execute(sql));
    }

    private <T> T call(SqlCall<T> work) throws SQLException {
        Thread caller = Thread.currentThread();
        long limit = Math.max(0, request.deadline().remainingNanos()) + ServerAcquisition.GRACE;
        store.pool.watch(session);
        try {
            return session.call(limit, () -> request.waits() && caller.isInterrupted(), work);
        } finally {
            store.pool.unwatch(session);
        }
    }
}
