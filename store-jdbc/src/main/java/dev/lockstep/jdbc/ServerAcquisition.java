package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.AcquisitionAttempt;
import dev.lockstep.jdbc.slots.Queues;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The way of one request through its locks on the server, in a session that it has for itself. */
final class ServerAcquisition {
    /** How much later than its own deadline a call to the server is given up. */
    static final long GRACE = TimeUnit.SECONDS.toNanos(5);

    /** The result: the server's state if all locks were acquired, else the answer. */
    record End(
            Dialect.@Nullable ServerState state, @Nullable StoreAnswer answer) {}

    private final AcquisitionAttempt attempt;
    private final StoreRequest request;
    private final LockSession session;
    private final SessionPool pool;
    private final Dialect dialect;
    private final Queues queues;
    private final Transactions transactions;
    private final ServerLockInspector inspector;

    ServerAcquisition(
            AcquisitionAttempt attempt,
            LockSession session,
            SessionPool pool,
            Queues queues,
            Transactions transactions,
            ServerLockInspector inspector) {
        this.attempt = attempt;
        this.session = session;
        this.pool = pool;
        this.queues = queues;
        this.transactions = transactions;
        this.inspector = inspector;
        request = attempt.request;
        dialect = pool.dialect();
    }

    /** Acquires the locks in order; if it ends without all of them, the caller releases those acquired. */
    End run() throws SQLException, InterruptedException {
        List<ServerLock> rest = attempt.locks;
        session.tagged(false);
        for (boolean waited = false; ; waited = true) {
            List<ServerLock> now = rest;
            Dialect.Progress progress = call(() -> dialect.tryAll(session, now));
            session.requireSame(progress.state());
            requirePrimary(progress.state(), request);
            int at = progress.blockedAt();
            if (at < 0) {
                return waited ? confirmed() : new End(progress.state(), null);
            }
            if (!waited && request.waits()) {
                request.contended();
            }
            queues.keepUpTo(attempt, rest.get(at));
            @Nullable StoreAnswer refusal = await(rest.get(at));
            if (refusal != null) {
                return new End(null, refusal);
            }
            rest = rest.subList(at + 1, rest.size());
            if (rest.isEmpty()) {
                return confirmed();
            }
            queues.enter(attempt, rest);
        }
    }

    /** After a wait the term is counted anew, from before a call that shows that the session lives. */
    private End confirmed() throws SQLException, InterruptedException {
        request.markStart();
        Dialect.ServerState state = call(() -> dialect.confirm(session, ""));
        session.requireSame(state);
        requirePrimary(state, request);
        return new End(state, null);
    }

    /** Waits on the server for one lock; returns null when it was acquired. */
    private @Nullable StoreAnswer await(ServerLock lock) throws SQLException, InterruptedException {
        attempt.waitsFor(lock);
        try {
            while (true) {
                long left = request.deadline().remainingNanos();
                if (!request.waits() || left <= 0 || request.isCancelled()) {
                    attempt.busyAt(lock);
                    return new StoreBusy(lock.wanted(), List.of());
                }
                try {
                    awaitOnce(lock, Duration.ofNanos(left));
                    return null;
                } catch (SQLException e) {
                    SqlFault fault = SqlFault.of(e);
                    if (fault == SqlFault.DEADLOCK) {
                        return deadlock(lock, e);
                    }
                    if (fault != SqlFault.WAIT_TIMEOUT && fault != SqlFault.BUSY) {
                        throw e;
                    }
                    if (session.isProofWanted()) {
                        transactions.prove(session);
                    }
                }
            }
        } finally {
            attempt.waitsFor(null);
        }
    }

    private void awaitOnce(ServerLock lock, Duration longest) throws SQLException, InterruptedException {
        String tag = transactions.tag(session, request, attempt.since(), lock.indexIn(request.plan()));
        call(session::isProofWanted, () -> {
            dialect.await(session, lock, longest, tag);
            return true;
        });
    }

    private StoreAnswer deadlock(ServerLock lock, SQLException error) {
        if (!dialect.releasesNested()) {
            session.grants.forEach(grant -> grant.ended = true); // the server rolled the whole transaction back
        }
        List<PlannedLock> held = ServerLockInspector.heldBy(attempt, session, lock);
        return new StoreDeadlock(inspector.report(request, attempt.since(), held, lock, error));
    }

    /** Runs one call; ends it when the request is interrupted, cancelled or the store is closed. */
    <T> T call(SqlCall<T> work) throws SQLException, InterruptedException {
        return call(() -> false, work);
    }

    private <T> T call(BooleanSupplier stop, SqlCall<T> work) throws SQLException, InterruptedException {
        long limit = Math.max(0, request.deadline().remainingNanos()) + GRACE;
        Thread caller = Thread.currentThread();
        try {
            return session.call(
                    limit,
                    () -> stop.getAsBoolean()
                            || request.isCancelled()
                            || pool.isClosed()
                            || (request.waits() && caller.isInterrupted()),
                    work);
        } catch (SQLException e) {
            pool.requireOpen();
            if (request.waits() && Thread.interrupted()) {
                throw new InterruptedException("Interrupted while waiting for " + request.plan());
            }
            throw e;
        }
    }

    static void requirePrimary(Dialect.ServerState state, StoreRequest request) {
        if (state.standby()) {
            throw new LockException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "The database is a standby or read-only: locks acquired there have no effect on the primary. Connect the store to the"
                            + " primary.",
                    request.plan().locks().stream().map(PlannedLock::key).toList(),
                    null);
        }
    }
}
