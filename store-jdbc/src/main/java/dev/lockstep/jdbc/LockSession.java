package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.PreparedStatements;
import dev.lockstep.jdbc.sql.ServerPreparation;
import dev.lockstep.jdbc.sql.ServerSession;
import dev.lockstep.jdbc.sql.SessionMarks;
import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the store's own, in READ COMMITTED and without autocommit, and the grants that live in its transaction: those
 * of one holder, the outermost first.
 *
 * <p>A thread that uses the connection or the grants holds {@link #use}. {@link CallWatch} watches a running call from outside and ends
 * one that was cancelled or takes too long; what it started has ended before the connection is used again.
 */
final class LockSession implements AutoCloseable {
    private static final long CANCEL_MILLIS = 2_000;

    /** A server ignores a cancel that arrives between two statements: after this long it gets another. */
    private static final long CANCEL_AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

    /** How much later than the watch the driver gives up. */
    private static final long READ_GRACE_MILLIS = 500;

    final Connection connection;
    final ServerSession server;
    final long serverId;
    private final @Nullable BorrowedConnection borrowed;
    final ReentrantLock use = new ReentrantLock(true);

    /** Signalled when a grant of this session was released; a hint for siblings that wait for it. */
    final Condition released = use.newCondition();

    final List<JdbcGrant> grants = new ArrayList<>(1);

    /**
     * Whether a nested request is at work and holds {@link #use}, maybe for long. A thread that releases a grant meanwhile marks it
     * as ended and leaves the rest to that request, which looks for such grants after it has set this to false.
     */
    volatile boolean isTaking;

    /** The idleness that renewals asked for while a nested request was at work; zero for none. */
    volatile Duration idleWish = Duration.ZERO;

    /** Whether a renewal needs the nested request, which waits, to prove that the session lives. */
    private volatile boolean proofWanted;

    private volatile long proofs;

    /** After how much idleness the server ends this session. */
    Duration idleLimit;

    /** The same for the time after this transaction. */
    Duration nextIdleLimit;

    /** What all statements of this session begin with: a comment for others to see, or nothing. */
    String preface = "";

    private boolean tagged;
    private boolean savepoint;
    private boolean cancelled;

    private final Statement statement;
    private final PreparedStatements prepared;
    private final List<String> restore;
    private long idleSince;
    private volatile boolean dead;
    private boolean limitsReads;
    private boolean restoresReads;
    private int networkTimeout;

    private final ReentrantLock call = new ReentrantLock();
    private @Nullable Thread caller;
    private @Nullable BooleanSupplier calledOff;
    private @Nullable Statement running;
    private long giveUpAt;
    private @Nullable CompletableFuture<?> cancel;
    private long cancelAgainAt;

    private LockSession(
            Connection connection,
            @Nullable BorrowedConnection borrowed,
            ServerSession server,
            Duration idleLimit,
            List<String> restore)
            throws SQLException {
        this.connection = connection;
        this.borrowed = borrowed;
        this.server = server;
        serverId = server.id();
        this.idleLimit = idleLimit;
        nextIdleLimit = idleLimit;
        this.restore = new ArrayList<>(restore);
        statement = connection.createStatement();
        prepared = new PreparedStatements(connection);
    }

    /**
     * A session on a borrowed connection.
     *
     * @param restore the statements that restore the settings of the server session
     */
    static LockSession on(BorrowedConnection borrowed, ServerSession server, Duration idleLimit, List<String> restore)
            throws SQLException {
        LockSession session = new LockSession(borrowed.connection(), borrowed, server, idleLimit, restore);
        SessionMarks.begin(server.mark());
        return session;
    }

    /** A session on a connection of the caller's, whose settings are not ours. */
    static LockSession ofCaller(Connection connection) throws SQLException {
        return new LockSession(connection, null, ServerSession.OF_CALLER, Duration.ZERO, List.of());
    }

    boolean isCallers() {
        return serverId == 0;
    }

    Statement statement() {
        running = statement;
        return statement;
    }

    /** Has statements that are used often prepared on the server, as long as there is room, whatever the settings of the driver say. */
    void prepareOnServer(ServerPreparation preparation, Semaphore room) {
        prepared.prepareOnServer(preparation::prepare, room);
    }

    void leavePreparationToDriver() throws SQLException {
        prepared.leaveToDriver();
    }

    PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement found = prepared.get(sql);
        running = found;
        return found;
    }

    // ---- calls

    /** Has the driver itself give up reading when a call takes too long, for one whose connections can't be aborted then. */
    void limitReads() throws SQLException {
        limitsReads = true;
        networkTimeout = connection.getNetworkTimeout();
    }

    /** The same for a connection of the caller, whose state is restored after each call. */
    void limitReadsBriefly() throws SQLException {
        limitReads();
        restoresReads = true;
    }

    private void limitReads(long limitNanos) throws SQLException {
        if (limitsReads) {
            long millis = TimeUnit.NANOSECONDS.toMillis(limitNanos) + READ_GRACE_MILLIS;
            connection.setNetworkTimeout(Runnable::run, (int) Math.min(millis, Integer.MAX_VALUE));
        }
    }

    /**
     * Runs a call that is ended from outside when it takes longer than {@code limitNanos} or, if {@code stop} is given, when that
     * turns true.
     */
    <T> T call(long limitNanos, @Nullable BooleanSupplier stop, SqlCall<T> work) throws SQLException {
        T result = watched(limitNanos, stop, work);
        if (dead) { // the watch gave it up while the response arrived
            throw new SQLNonTransientConnectionException("The connection was aborted, and its locks with it", "08003");
        }
        return result;
    }

    private <T> T watched(long limitNanos, @Nullable BooleanSupplier stop, SqlCall<T> work) throws SQLException {
        begin(limitNanos, stop);
        try {
            limitReads(limitNanos);
            return work.run();
        } catch (SQLException e) {
            if (SqlFault.of(e) == SqlFault.CONNECTION_LOST) {
                dead = true;
            }
            throw e;
        } finally {
            end();
            if (restoresReads && !dead) {
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
        }
    }

    /** Refuses a response of another server session than the one in which the locks are: a proxy or the driver has switched. */
    void requireSame(Dialect.ServerState state) throws SQLException {
        if (!isCallers() && state.serverId() != serverId) {
            markDead();
            throw new SQLNonTransientConnectionException(
                    "The driver or a proxy switched from server session " + serverId + " to " + state.serverId()
                            + ", which has none of the locks. Connect the store directly, or through a pooler in session mode",
                    "08003");
        }
    }

    private void begin(long limitNanos, @Nullable BooleanSupplier stop) {
        call.lock();
        try {
            caller = Thread.currentThread();
            calledOff = stop;
            giveUpAt = System.nanoTime() + limitNanos;
            running = statement;
        } finally {
            call.unlock();
        }
    }

    private void end() {
        call.lock();
        try {
            caller = null;
        } finally {
            call.unlock();
        }
        stopCancelling();
    }

    /** Lets the rest of the running call end in its own time: it cleans up after a statement that was cancelled. */
    void stopCancelling() {
        CompletableFuture<?> started;
        call.lock();
        try {
            calledOff = null;
            started = cancel;
            cancel = null;
        } finally {
            call.unlock();
        }
        if (started != null) {
            join(started);
        }
    }

    /** A cancel that is still on its way would hit the next statement. */
    private void join(CompletableFuture<?> started) {
        boolean interrupted = Thread.interrupted();
        try {
            cancelled = true;
            started.get(CANCEL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            dead = true;
        } catch (InterruptedException e) {
            interrupted = true;
            dead = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Watches the running call, if there is one; true if there is. A call gets the time back for which the process stood still: its
     * answer may have arrived meanwhile.
     */
    boolean watch(long now, long standstill, Executor executor) {
        call.lock();
        try {
            if (caller == null) {
                return false;
            }
            giveUpAt += standstill;
            if (now - giveUpAt > 0) {
                giveUpAt = now + TimeUnit.SECONDS.toNanos(10);
                dead = true;
                executor.execute(this::abort);
            } else if (mayCancel(now) && calledOff != null && calledOff.getAsBoolean()) {
                Statement victim = running == null ? statement : running;
                cancel = CompletableFuture.runAsync(() -> cancel(victim), executor);
                cancelAgainAt = now + CANCEL_AGAIN;
            }
            return true;
        } finally {
            call.unlock();
        }
    }

    private boolean mayCancel(long now) {
        return cancel == null || (cancel.isDone() && !cancel.isCompletedExceptionally() && now - cancelAgainAt > 0);
    }

    private static void cancel(Statement victim) {
        try {
            victim.cancel();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- proofs beside a nested request

    void beginTaking() {
        proofWanted = false;
        isTaking = true;
    }

    void wantProof() {
        proofWanted = true;
    }

    boolean isProofWanted() {
        return proofWanted;
    }

    /** How many proofs there were. */
    long proofs() {
        return proofs;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the thread that holds the session changes it
    void proven() {
        proofWanted = false;
        proofs++;
    }

    // ---- its transaction

    /** Whether the server shows the holder of this transaction's locks. */
    boolean isTagged() {
        return tagged;
    }

    void tagged(boolean now) {
        tagged = now;
    }

    /** Whether the transaction has a savepoint that proves that it is still the same one. */
    boolean hasSavepoint() {
        return savepoint;
    }

    void savepointSet() {
        savepoint = true;
    }

    /** Whether a statement was cancelled: what the server does with a cancel that came too late is better not relied on. */
    boolean wasCancelled() {
        return cancelled;
    }

    void transactionEnded() {
        idleLimit = nextIdleLimit;
        tagged = false;
        savepoint = false;
    }

    // ---- the end

    boolean isDead() {
        return dead;
    }

    void markDead() {
        dead = true;
    }

    void idleSince(long nanos) {
        idleSince = nanos;
    }

    long idleNanos(long now) {
        return now - idleSince;
    }

    /** Adds a statement to those that restore the server session. */
    void restoreToo(String sql) {
        restore.add(0, sql);
    }

    /** Restores the state in which the connection was borrowed, and closes it. */
    void restoreAndClose() throws SQLException {
        for (String sql : restore) {
            statement.execute(sql);
        }
        closeStatements();
        SessionMarks.end(server.mark());
        if (borrowed != null) {
            borrowed.restoreAndClose();
        }
    }

    private void closeStatements() throws SQLException {
        try {
            statement.close();
        } finally {
            prepared.close();
        }
    }

    /** Drops the connection, so that the server ends the transaction; a pool will not hand it out again. */
    void abort() {
        dead = true;
        SessionMarks.end(server.mark());
        BorrowedConnection.abort(connection);
        prepared.dropped();
    }

    /** Closes its statements; the connection stays the caller's. */
    @Override
    public void close() {
        try {
            closeStatements();
        } catch (SQLException | RuntimeException e) {
            // the connection is broken, and the caller notices
        }
    }
}
