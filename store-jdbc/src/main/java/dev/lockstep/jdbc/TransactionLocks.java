package dev.lockstep.jdbc;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.DatabaseErrors;
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
 * <p>Create one for each transaction, with {@code store.in(connection)}, and acquire the locks before the first read: what was read earlier
 * may be out of date by then. Calls after the first must rank above what is held, as nested requests must. Locks that the transaction no
 * longer holds, because it has ended or was rolled back to a savepoint, count for nothing and are acquired again when they are requested.
 * On MySQL and MariaDB, a request that is refused because of the order removes the savepoints that were set since the last acquire.
 *
 * <p>There is no term and nothing to renew: the transaction is the lease. Not for several threads.
 */
public final class TransactionLocks {
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(1);

    private final DatabaseStore store;
    private final Consumer<List<KindDefinition>> declare;
    private final Connection connection;
    private final TransactionHoldings holdings = new TransactionHoldings();
    private boolean failed;

    TransactionLocks(DatabaseStore store, Connection connection, Consumer<List<KindDefinition>> declare) {
        this.store = store;
        this.declare = declare;
        this.connection = connection;
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
            try (LockSession session = LockSession.ofCaller(connection)) {
                if (store.dialect.abortNeedsServer()) {
                    session.limitReadsBriefly();
                }
                return take(request, new TransactionAcquisition(store, session, request));
            }
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Locking " + request.plan() + " in the transaction", request.keys());
        }
    }

    private void requireUsable() throws SQLException {
        if (connection.getAutoCommit()) {
            throw new InvalidRequestException(
                    "The connection is in autocommit: the locks would end with the statement that acquires them. Call"
                            + " setAutoCommit(false), or use a transaction of your framework.");
        }
        if (failed) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "An earlier request in this transaction failed, and the transaction may hold some of its locks. Roll it back.",
                    List.of(),
                    null);
        }
    }

    private Optional<FencingToken> take(TransactionRequest request, TransactionAcquisition acquisition)
            throws SQLException {
        List<ServerLock> rows = store.slots().of(request.plan());
        if (mustCheckHoldings(rows)) {
            holdings.retain(acquisition.stillHeld());
        }
        requireReadCommitted();
        if (holdings.isEmpty()) {
            acquisition.checkServer();
        }
        holdings.requireOrder(rows, request.owner());
        boolean acquired = false;
        try {
            Optional<FencingToken> token = acquisition.take(rows, holdings.planned());
            acquired = token.isPresent();
            return token;
        } finally {
            if (acquired) {
                holdings.add(rows);
            }
            failed = !acquired && !acquisition.isUndone();
        }
    }

    /** Where the check costs the caller savepoints, only before a request is refused: what is wanted is locked again in any case. */
    private boolean mustCheckHoldings(List<ServerLock> wanted) {
        return !holdings.isEmpty() && !(store.dialect.stillHeldRemovesSavepoints() && holdings.areInOrder(wanted));
    }

    private void requireReadCommitted() throws SQLException {
        if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            throw new InvalidRequestException(
                    "The transaction is not READ COMMITTED: it would continue to read what was there before the locks were acquired. Set the"
                            + " isolation to Connection.TRANSACTION_READ_COMMITTED, or with Spring"
                            + " @Transactional(isolation = Isolation.READ_COMMITTED).");
        }
    }

    private LockException timeout(TransactionRequest request) {
        @Nullable ServerLock blocked = request.heldUpAt();
        ServerLock at = blocked == null ? store.slots().of(request.plan()).get(0) : blocked;
        Busy busy = new Busy(
                at.wanted().key(), at.wanted().mode(), store.inspector().blockers(at, null));
        return new LockTimeoutException(busy, request.keys(), request.waited());
    }
}
