package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How transactions with locks are kept alive, labelled and ended. The caller has the session for itself. */
final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(5);
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
    boolean keepAlive(Session session, Duration term) {
        try {
            raiseIdleLimit(session, term);
            if (session.wasCancelled()) {
                pingAfterCancel(session);
            }
            ping(session);
            return true;
        } catch (SQLException e) {
            LOG.debug("A session was lost", e);
            session.markDead();
            return false;
        }
    }

    void raiseIdleLimit(Session session, Duration term) throws SQLException {
        if (dialect.idleLimitFor(term).compareTo(session.idleLimit) > 0) {
            session.call(LONGEST_CALL, null, () -> {
                dialect.limitIdleness(session, term);
                return true;
            });
        }
    }

    /** Catches a cancel that reached the server when the statement it was meant for had just ended. */
    private void pingAfterCancel(Session session) throws SQLException {
        try {
            ping(session);
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.WAIT_OVER) {
                throw e;
            }
        }
    }

    private void ping(Session session) throws SQLException {
        String label = Label.comment(namespace, holders(session));
        Dialect.ServerState state = session.call(LONGEST_CALL, null, () -> dialect.confirm(session, label));
        if (state.serverId() != session.serverId) { // a driver that reconnects behind our back
            session.markDead();
            throw new SQLException("The driver opened another connection, without the locks", "08003");
        }
        session.labelled(true);
    }

    // ---- labels

    /** What the server is to show of a session while a request is at work in it, and the lock it waits for. */
    String label(Session session, StoreRequest request, Instant since, int waitsFor) {
        List<String> parts = holders(session);
        parts.add(0, Label.part(request, since, waitsFor));
        return Label.comment(namespace, parts);
    }

    private static List<String> holders(Session session) {
        List<String> parts = new ArrayList<>(1 + session.grants.size());
        for (JdbcGrant grant : session.grants) {
            if (!grant.over) {
                parts.add(Label.part(grant.request, grant.since, -1));
            }
        }
        return parts;
    }

    /** Has sessions that hold locks for longer than a moment say so on the server, where that isn't done by every statement. */
    void labelHolders() {
        if (dialect.labelsEverything()) {
            return;
        }
        for (Session session : pool.sessions()) {
            if (!session.isLabelled() && session.use.tryLock()) {
                try {
                    if (!session.isDead() && isHeldForAMoment(session)) {
                        ping(session);
                    }
                } catch (SQLException e) {
                    LOG.debug("A session could not be labelled", e);
                } finally {
                    session.use.unlock();
                }
            }
        }
    }

    private static boolean isHeldForAMoment(Session session) {
        Instant before = Instant.now().minus(A_MOMENT);
        return !session.grants.isEmpty()
                && session.grants.get(session.grants.size() - 1).since.isBefore(before);
    }

    // ---- savepoints

    @Nullable
    String setSavepoint(Session session) throws SQLException {
        if (!dialect.hasSavepoints()) {
            return null;
        }
        String name = "lockstep_" + session.grants.size();
        session.call(LONGEST_CALL, null, () -> session.statement().execute("SAVEPOINT " + name));
        return name;
    }

    void backTo(Session session, @Nullable String savepoint) {
        if (savepoint == null || session.isDead()) {
            return;
        }
        session.labelled(false);
        try {
            session.call(LONGEST_CALL, null, () -> session.statement().execute("ROLLBACK TO SAVEPOINT " + savepoint));
        } catch (SQLException e) {
            LOG.warn("The locks of a nested request could not be given back; the outer lease is lost with them", e);
            session.abort();
        }
    }

    // ---- the end

    /** Ends what is over in a session, from the innermost grant outwards. Answers whether the locks were held until now. */
    boolean leave(Session session) {
        if (session.isTaking) {
            return true; // going back to a savepoint would take away what the nested request has so far
        }
        @Nullable String savepoint = null;
        while (!session.grants.isEmpty() && session.grants.get(session.grants.size() - 1).over) {
            savepoint = session.grants.remove(session.grants.size() - 1).savepoint;
        }
        if (session.grants.isEmpty() || session.grants.stream().allMatch(grant -> grant.over)) {
            session.grants.clear();
            return end(session);
        }
        backTo(session, savepoint);
        return true;
    }

    /** Rolls back, and has the session back in the pool; answers false when the connection was gone. */
    boolean end(Session session) {
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
        pool.giveBack(session);
        return alive;
    }
}
