package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.SqlFault;
import dev.lockstep.jdbc.sql.StatementTag;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How transactions with locks are kept alive, labelled and ended. The caller has the session for itself. */
final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(5);
    private static final int CANCELS_TO_CATCH = 2;
    private static final Duration A_MOMENT = Duration.ofMillis(50);

    private final Dialect dialect;
    private final SessionPool pool;
    private final String namespace;

    Transactions(SessionPool pool, String namespace) {
        dialect = pool.dialect();
        this.pool = pool;
        this.namespace = namespace;
    }

    // ---- alive

    /** Whether the session lives, and will for this long without a word. */
    boolean keepAlive(LockSession session, Duration term) {
        try {
            if (session.wasCancelled()) {
                pingAfterCancel(session);
            }
            raiseIdleLimit(session, term);
            call(session, () -> dialect.proveTransaction(session));
            ping(session);
            return true;
        } catch (SQLException e) {
            LOG.debug("A session was lost", e);
            session.markDead();
            return false;
        }
    }

    /** Proves, in a nested request that waits, that the session and its transaction live. */
    void prove(LockSession session) throws SQLException {
        pingAfterCancel(session);
        call(session, () -> dialect.proveTransaction(session));
        ping(session);
        session.proven();
    }

    void raiseIdleLimit(LockSession session, Duration term) throws SQLException {
        if (dialect.idleLimitFor(term).compareTo(session.idleLimit) > 0) {
            call(session, () -> dialect.limitIdleness(session, term));
        }
    }

    /**
     * Catches cancels that came when the statement they were meant for had just ended: one may be pending in the driver, and one on the
     * server.
     */
    private void pingAfterCancel(LockSession session) throws SQLException {
        for (int left = CANCELS_TO_CATCH; ; left--) {
            try {
                ping(session);
                return;
            } catch (SQLException e) {
                if (left == 0 || SqlFault.of(e) != SqlFault.WAIT_TIMEOUT) {
                    throw e;
                }
            }
        }
    }

    private void ping(LockSession session) throws SQLException {
        String tag = StatementTag.comment(namespace, holders(session));
        session.requireSame(session.call(LONGEST_CALL, null, () -> dialect.confirm(session, tag)));
        session.tagged(true);
    }

    // ---- tags

    /** What the server is to show of a session while a request is at work in it, and the lock it waits for. */
    String tag(LockSession session, StoreRequest request, Instant since, int waitsFor) {
        List<String> parts = holders(session);
        parts.add(0, StatementTag.part(request, since, waitsFor));
        return StatementTag.comment(namespace, parts);
    }

    private static List<String> holders(LockSession session) {
        List<String> parts = new ArrayList<>(1 + session.grants.size());
        for (JdbcGrant grant : session.grants) {
            if (!grant.ended) {
                parts.add(StatementTag.part(grant.request, grant.since, -1));
            }
        }
        return parts;
    }

    /** Has sessions that hold locks for longer than a moment say so on the server. */
    void tagHolders() {
        for (LockSession session : pool.sessions()) {
            if (!session.isTagged() && session.use.tryLock()) {
                try {
                    if (!session.isDead() && isHeldForAMoment(session)) {
                        ping(session);
                    }
                } catch (SQLException e) {
                    LOG.debug("A session was lost", e);
                    session.markDead(); // the error has ended the transaction, and its locks with it
                } finally {
                    session.use.unlock();
                }
            }
        }
    }

    private static boolean isHeldForAMoment(LockSession session) {
        Instant before = Instant.now().minus(A_MOMENT);
        return !session.grants.isEmpty()
                && session.grants.get(session.grants.size() - 1).since.isBefore(before);
    }

    // ---- nested requests

    void beginNested(LockSession session) throws SQLException {
        call(session, () -> dialect.beginNested(session));
    }

    void keepNested(LockSession session, List<ServerLock> locks) throws SQLException {
        session.tagged(false);
        try {
            call(session, () -> dialect.keepNested(session, locks));
        } catch (SQLException e) {
            session.abort(); // it is unknown which locks were kept
            throw e;
        }
    }

    /** Undoes a nested request that failed; the outer leases are lost if that is impossible. */
    void undoNested(LockSession session) {
        boolean outerHeld = session.grants.stream().anyMatch(grant -> !grant.ended);
        if (outerHeld && !session.isDead()) {
            session.tagged(false);
            orAbort(session, () -> undo(session));
        }
    }

    private void undo(LockSession session) throws SQLException {
        try {
            call(session, () -> dialect.undoNested(session));
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.WAIT_TIMEOUT) {
                throw e;
            }
            call(session, () -> dialect.undoNested(session)); // a late cancel hit the first attempt
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static void call(LockSession session, Step step) throws SQLException {
        session.call(LONGEST_CALL, null, () -> {
            step.run();
            return true;
        });
    }

    private static void orAbort(LockSession session, Step step) {
        try {
            step.run();
        } catch (SQLException e) {
            LOG.warn(
                    "The locks of a nested request could not be released alone; the outer leases are lost with them",
                    e);
            session.abort();
        }
    }

    // ---- the end

    /** Ends the released grants of a session. Returns whether the locks were held until now. */
    boolean leave(LockSession session) {
        if (session.isTaking) {
            return true; // the nested request does it when it has ended
        }
        // One snapshot: another thread may release a sibling meanwhile, whose locks that thread then unlocks.
        List<JdbcGrant> ended =
                session.grants.stream().filter(grant -> grant.ended).toList();
        List<ServerLock> released = ended.stream()
                .filter(grant -> grant.nested)
                .flatMap(grant -> grant.locks.stream())
                .toList();
        session.grants.removeAll(ended);
        if (!released.isEmpty() && !session.isDead()) {
            session.tagged(false);
            orAbort(session, () -> call(session, () -> dialect.releaseNested(session, released)));
        }
        return session.grants.isEmpty() ? end(session) : !session.isDead();
    }

    /** Rolls back and returns the session to the pool; returns false when the connection was lost. */
    boolean end(LockSession session) {
        try {
            if (!session.isDead()) {
                session.call(LONGEST_CALL, null, () -> {
                    session.connection.rollback();
                    return true;
                });
            }
        } catch (SQLException e) {
            LOG.debug("A session was lost", e);
            session.markDead();
        }
        boolean alive = !session.isDead();
        session.transactionEnded();
        if (session.wasCancelled()) {
            session.markDead();
        }
        pool.release(session);
        return alive;
    }
}
