package dev.lockstep.jdbc;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The same locks inside a transaction of the caller's: they are taken on its connection and end with its commit or rollback. They
 * exclude, and are excluded by, the leases of the store.
 *
 * <p>Make one for each transaction, with {@code store.in(connection)}, and take the locks before the first read: what was read earlier may be
 * out of date once they are had. Calls after the first must rank above what is held, as nested requests must.
 *
 * <p>There is no term and nothing to renew: the transaction is the lease. Not for several threads.
 */
public final class TransactionLocks {
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(1);

    private final DatabaseStore store;
    private final Consumer<List<KindDefinition>> declare;
    private final Session session;
    private final TransactionHoldings holdings = new TransactionHoldings();
    private boolean checked;
    private boolean failed;

    private TransactionLocks(DatabaseStore store, Connection connection, Consumer<List<KindDefinition>> declare)
            throws SQLException {
        this.store = store;
        this.declare = declare;
        session = Session.ofCaller(connection);
        if (store.dialect.abortNeedsServer()) {
            session.limitReadsBriefly();
        }
    }

    static TransactionLocks on(DatabaseStore store, Connection connection, Consumer<List<KindDefinition>> declare) {
        try {
            return new TransactionLocks(store, connection, declare);
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Using the transaction's connection");
        }
    }

    /**
     * Takes the locks, waiting if it must, for a second unless the request says otherwise. Throws what {@code Locks.acquire} throws. On MySQL
     * and MariaDB the transaction must be rolled back then: it may hold some of the locks.
     */
    public FencingToken acquire(LockRequest request) {
        Deadline deadline = Deadline.in(request.longestWait().orElse(DEFAULT_WAIT), LockClock.system());
        TransactionRequest asked = new TransactionRequest(request, deadline);
        return take(asked).orElseThrow(() -> timeout(asked));
    }

    /** Takes the locks if it can, waiting only as long as {@link LockRequest#within} says; empty if it can't. */
    public Optional<FencingToken> tryAcquire(LockRequest request) {
        Deadline deadline = Deadline.in(request.longestWait().orElse(Duration.ZERO), LockClock.system());
        return take(new TransactionRequest(request, deadline));
    }

    private Optional<FencingToken> take(TransactionRequest request) {
        try {
            requireUsable();
            declare.accept(request.kinds());
            List<ServerLock> rows = holdings.notHeld(store.slots().of(request.plan()), request.owner());
            failed = true; // until all is had
            Optional<FencingToken> token = inTransaction(request, rows);
            if (token.isPresent() || store.dialect.hasSavepoints()) {
                failed = false;
            }
            token.ifPresent(had -> holdings.add(rows));
            return token;
        } catch (SQLException e) {
            throw failure(request, e);
        }
    }

    private void requireUsable() throws SQLException {
        if (session.connection.getAutoCommit()) {
            throw new InvalidRequestException(
                    "The connection is in autocommit: the locks would end with the statement that takes them. Call"
                            + " setAutoCommit(false), or use a transaction of your framework.");
        }
        if (!checked) {
            checkOnce();
        }
        if (failed) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "An earlier request in this transaction failed, and the transaction may hold some of its locks. Roll it back.",
                    List.of(),
                    null);
        }
    }

    private void checkOnce() throws SQLException {
        if (session.connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            throw new InvalidRequestException(
                    "The transaction is not READ COMMITTED: it would go on reading what was there before the locks were had. Set the"
                            + " isolation to Connection.TRANSACTION_READ_COMMITTED, or with Spring"
                            + " @Transactional(isolation = Isolation.READ_COMMITTED).");
        }
        store.dialect.checkForCaller(session);
        checked = true;
    }

    private Optional<FencingToken> inTransaction(TransactionRequest request, List<ServerLock> rows)
            throws SQLException {
        if (rows.isEmpty()) {
            return Optional.of(store.token(call(request, () -> store.dialect.confirm(session, ""))));
        }
        if (!store.dialect.hasSavepoints()) {
            return walk(request, rows);
        }
        execute(request, "SAVEPOINT lockstep_transaction");
        Optional<FencingToken> token = Optional.empty();
        try {
            token = walk(request, rows);
        } finally {
            if (token.isEmpty() && !session.isDead()) {
                execute(request, "ROLLBACK TO SAVEPOINT lockstep_transaction");
                failed = false;
            }
        }
        return token;
    }

    private Optional<FencingToken> walk(TransactionRequest request, List<ServerLock> rows) throws SQLException {
        List<ServerLock> rest = rows;
        String label = store.dialect.labelsEverything() ? label(request, -1) : "";
        while (!rest.isEmpty()) {
            List<ServerLock> now = rest;
            Dialect.Progress progress = call(request, () -> store.dialect.tryAll(session, now, label));
            LockWalk.requirePrimary(progress.state(), request);
            if (progress.blockedAt() < 0) {
                return Optional.of(store.token(progress.state()));
            }
            ServerLock blocked = rest.get(progress.blockedAt());
            request.heldUpAt(blocked);
            if (!await(request, blocked)) {
                return Optional.empty();
            }
            rest = rest.subList(progress.blockedAt() + 1, rest.size());
        }
        return Optional.of(store.token(call(request, () -> store.dialect.confirm(session, label))));
    }

    private boolean await(TransactionRequest request, ServerLock lock) throws SQLException {
        while (!request.deadline().passed()) {
            try {
                String label = label(request, lock.placeIn(request.plan()));
                call(request, () -> {
                    store.dialect.await(session, lock, request.deadline().remaining(), label);
                    return true;
                });
                return true;
            } catch (SQLException e) {
                SqlFault fault = SqlFault.of(e);
                if (fault == SqlFault.DEADLOCK) {
                    DeadlockReport report = store.sight().report(request, request.since(), holdings.planned(), lock, e);
                    throw new DeadlockException(report, request.keys());
                }
                if (fault != SqlFault.WAIT_OVER && fault != SqlFault.BUSY) {
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

    private String label(TransactionRequest request, int waitsFor) {
        return Label.comment(store.namespace(), List.of(Label.part(request, request.since(), waitsFor)));
    }

    private void execute(TransactionRequest request, String sql) throws SQLException {
        call(request, () -> session.statement().execute(sql));
    }

    private <T> T call(TransactionRequest request, SqlCall<T> work) throws SQLException {
        Thread caller = Thread.currentThread();
        long limit = Math.max(0, request.deadline().remainingNanos()) + LockWalk.GRACE;
        store.pool.watch(session);
        try {
            return session.call(limit, () -> request.waits() && caller.isInterrupted(), work);
        } finally {
            store.pool.unwatch(session);
        }
    }

    private LockException timeout(TransactionRequest request) {
        @Nullable ServerLock blocked = request.heldUpAt();
        ServerLock at = blocked == null ? store.slots().of(request.plan()).get(0) : blocked;
        Busy busy =
                new Busy(at.wanted().key(), at.wanted().mode(), store.sight().blockers(at, null));
        return new LockTimeoutException(busy, request.keys(), request.waited());
    }

    private LockException failure(TransactionRequest request, SQLException error) {
        return DatabaseErrors.of(error, "Locking " + request.plan() + " in the transaction", request.keys());
    }
}
