package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.StatementTag;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection for inspecting the sessions of other processes; opened when it is first needed. */
final class InspectionSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InspectionSession.class);
    private static final Duration KEPT = Duration.ofHours(1);
    private static final long LONGEST_QUERY = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int ATTEMPTS = 20;
    private static final long RECENT = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RETRY_AFTER = TimeUnit.SECONDS.toNanos(30);

    private final SessionPool pool;
    private final String namespace;
    private final ReentrantLock use = new ReentrantLock();
    private ConnectionListener listener = new NoListener();
    private @Nullable LockSession session;
    private boolean warned;
    private volatile Snapshot lastSnapshot = new Snapshot(List.of(), System.nanoTime() - RECENT);
    private long retryAt = System.nanoTime();

    InspectionSession(SessionPool pool, String namespace) {
        this.pool = pool;
        this.namespace = namespace;
    }

    /**
     * What the sessions of other processes say of themselves, a list for each. Some do so only a moment after they were granted their locks;
     * {@code patient} waits for those.
     */
    List<List<StatementTag.Seen>> others(boolean patient) {
        List<List<StatementTag.Seen>> seen = new ArrayList<>();
        for (int attempt = 1; ; attempt++) {
            seen.clear();
            boolean silent = false;
            Set<Long> own = pool.sessions().stream().map(each -> each.serverId).collect(Collectors.toSet());
            for (Dialect.OtherSession other : otherSessions(own)) {
                List<StatementTag.Seen> leases = StatementTag.read(other.statement(), namespace);
                silent |= leases.isEmpty() && StatementTag.isOurs(other.statement(), namespace);
                seen.add(leases);
            }
            if (!silent || !patient || attempt == ATTEMPTS) {
                lastSnapshot = new Snapshot(List.copyOf(seen), System.nanoTime());
                return seen;
            }
            LockSupport.parkNanos(this, PAUSE);
        }
    }

    /** What {@link #others} returned a moment ago, so that requests which poll do not each search the server; empty if it is older. */
    List<List<StatementTag.Seen>> recentOthers() {
        Snapshot snapshot = lastSnapshot;
        return System.nanoTime() - snapshot.at < RECENT ? snapshot.others : List.of();
    }

    private record Snapshot(List<List<StatementTag.Seen>> others, long at) {}

    private List<Dialect.OtherSession> otherSessions(Set<Long> own) {
        List<Dialect.OtherSession> all = query(at -> pool.dialect().otherSessions(at));
        return all.stream().filter(other -> !own.contains(other.serverId())).toList();
    }

    List<String> lastDeadlock(SQLException error) {
        return query(at -> pool.dialect().lastDeadlock(at, error));
    }

    /** Whether the server still has a session; empty if that is unknown. */
    Optional<Boolean> isAlive(LockSession other) {
        List<Boolean> alive =
                query(at -> isSameServer(at, other) ? List.of(pool.dialect().isAlive(at, other.serverId)) : List.of());
        return alive.stream().findFirst();
    }

    private static boolean isSameServer(LockSession one, LockSession other) {
        return one.server.name().equals(other.server.name());
    }

    private <T> List<T> query(Call<List<T>> call) {
        use.lock();
        try {
            return pool.isClosed() || isUnavailable() ? List.of() : use(LONGEST_QUERY, call);
        } catch (SQLException e) {
            return unavailable(e);
        } finally {
            use.unlock();
        }
    }

    /** An inspection must not wait for a connection again and again. */
    private boolean isUnavailable() {
        return session == null && System.nanoTime() - retryAt < 0;
    }

    private <T> List<T> unavailable(SQLException error) {
        retryAt = System.nanoTime() + RETRY_AFTER;
        if (!warned && !pool.isClosed()) {
            warned = true;
            LOG.warn(
                    "What other processes hold can't be seen on this database, so it is missing from snapshots and errors: {}",
                    error.getMessage());
        }
        return List.of();
    }

    // ---- the connection

    /** Something to do on the connection. */
    interface Call<T> {
        T on(LockSession session) throws SQLException;
    }

    /** Is notified when the connection is opened or closed. */
    interface ConnectionListener {
        /** The connection is new, and the caller has it alone. */
        void opened(LockSession session) throws SQLException;

        /** The connection is gone, or about to go. */
        void closed();
    }

    private static final class NoListener implements ConnectionListener {
        @Override
        public void opened(LockSession session) {}

        @Override
        public void closed() {}
    }

    void listener(ConnectionListener other) {
        use.lock();
        try {
            listener = other;
        } finally {
            use.unlock();
        }
    }

    /** Does something on the connection, alone; once more on a new one if it fails on one that was there before. */
    <T> T use(long limitNanos, Call<T> call) throws SQLException {
        use.lock();
        try {
            for (boolean again = session != null; ; again = false) {
                try {
                    LockSession at = open(limitNanos);
                    return call(at, limitNanos, () -> call.on(at));
                } catch (SQLException e) {
                    drop();
                    if (!again) {
                        throw e;
                    }
                }
            }
        } finally {
            use.unlock();
        }
    }

    private LockSession open(long limitNanos) throws SQLException {
        pool.requireOpen();
        LockSession opened = session;
        if (opened == null) {
            opened = connect(Math.min(limitNanos, SessionPool.FIRST_WAIT.toNanos()));
            session = opened;
            welcome(opened);
        }
        return opened;
    }

    private void welcome(LockSession opened) throws SQLException {
        try {
            listener.opened(opened);
        } catch (SQLException | RuntimeException e) {
            drop();
            throw e;
        }
    }

    /** Another connection of this kind: each of its statements is a separate transaction. */
    LockSession connect() throws SQLException {
        return connect(SessionPool.FIRST_WAIT.toNanos());
    }

    private LockSession connect(long limitNanos) throws SQLException {
        LockSession opened = pool.connect(KEPT, Duration.ofNanos(limitNanos));
        try {
            opened.connection.setAutoCommit(true);
            return opened;
        } catch (SQLException e) {
            opened.abort();
            throw e;
        }
    }

    /** Runs a call on such a connection; ends it when it takes too long or the store is closed. */
    <T> T call(LockSession at, long limitNanos, SqlCall<T> work) throws SQLException {
        pool.watch(at);
        try {
            return at.call(limitNanos, pool::isClosed, work);
        } finally {
            pool.unwatch(at);
        }
    }

    boolean isClosed() {
        return pool.isClosed();
    }

    /** Ends a connection whose state is not known. */
    private void drop() {
        end(LockSession::abort);
    }

    /** Returns the connection in the state in which it was borrowed. */
    @Override
    public void close() {
        end(at -> pool.returnUnused(List.of(at)));
    }

    private void end(Consumer<LockSession> leave) {
        use.lock();
        try {
            if (session != null) {
                leave.accept(session);
                session = null;
            }
            listener.closed();
        } finally {
            use.unlock();
        }
    }
}
