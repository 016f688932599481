package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How one kind of server takes locks inside a transaction.
 *
 * <p>{@code tag} is an SQL comment, or empty. It names the holder, for processes that inspect the server's tables.
 */
interface Dialect {
    /** What a server says about itself while the locks are held. */
    record ServerState(long micros, boolean standby, long serverId) {}

    /**
     * How far a request came without waiting.
     *
     * @param blockedAt the index of the first lock that is unavailable; negative when all were acquired
     */
    record Progress(int blockedAt, ServerState state) {}

    /** The kind of store, such as {@code mysql}. */
    String name();

    Set<StoreTrait> traits();

    /** Prepares a session of the store on a connection. */
    LockSession open(BorrowedConnection borrowed, Duration idleLimit) throws SQLException;

    /** Refuses a server on which locks in a transaction of the caller's could be lost unseen. */
    default void checkForCaller(LockSession session) throws SQLException {}

    /** Prepares {@link #stillHeld} in a transaction of the caller's, each time it has acquired locks. */
    void markForCaller(LockSession session) throws SQLException;

    /**
     * Which of the locks that a transaction of the caller's acquired it still holds. The transaction may have ended since, or have been
     * rolled back to a savepoint of the caller's.
     */
    Predicate<ServerLock> stillHeld(LockSession session) throws SQLException;

    /** Whether {@link #stillHeld} removes the savepoints that the caller has set since the last acquire. */
    default boolean stillHeldRemovesSavepoints() {
        return false;
    }

    /** The idle limit that is set on the server for leases of this term: not shorter, and as near as the server can. */
    Duration idleLimitFor(Duration term);

    /** How long the server surely keeps an unused session. */
    Duration keptFor(LockSession session);

    /**
     * Acquires locks in order until one is unavailable; waits for none. One round trip when all are available. It has no tag: a statement that is
     * never the same twice would be parsed and planned each time.
     */
    default Progress tryAll(LockSession session, List<ServerLock> locks) throws SQLException {
        for (int from = 0; ; from += largestStatement()) {
            int to = Math.min(from + largestStatement(), locks.size());
            Progress progress = tryPart(session, locks.subList(from, to));
            if (progress.blockedAt() >= 0) {
                return new Progress(from + progress.blockedAt(), progress.state());
            }
            if (to == locks.size()) {
                return progress;
            }
        }
    }

    /** The most locks of one statement. */
    int largestStatement();

    /** The same for at most {@link #largestStatement} locks. */
    Progress tryPart(LockSession session, List<ServerLock> locks) throws SQLException;

    /** Waits for one lock. After a {@link SqlFault#WAIT_TIMEOUT} all that was acquired before is still held. */
    void await(LockSession session, ServerLock lock, Duration longest, String tag) throws SQLException;

    /** Reads the server's state, and so keeps the session from being idle. */
    ServerState confirm(LockSession session, String tag) throws SQLException;

    /** Has the server end the session after this much idleness. */
    void limitIdleness(LockSession session, Duration limit) throws SQLException;

    /** Whether a nested request and its lease can release their locks while the transaction of the outer lease continues. */
    boolean releasesNested();

    /** Prepares the transaction for a nested request, so that {@link #undoNested} can undo the request alone. */
    void beginNested(LockSession session) throws SQLException;

    /** Keeps the locks of a nested request that has acquired them all. */
    void keepNested(LockSession session, List<ServerLock> locks) throws SQLException;

    /**
     * Undoes a nested request that failed. Fails with {@link SqlFault#CONNECTION_LOST} if the server has rolled back the whole
     * transaction.
     */
    void undoNested(LockSession session) throws SQLException;

    /** Releases locks that {@link #keepNested} kept. */
    void releaseNested(LockSession session, List<ServerLock> locks) throws SQLException;

    /**
     * Proves that the transaction is still the one in which the locks were acquired. Fails with {@link SqlFault#CONNECTION_LOST} if the
     * server has rolled it back.
     */
    void proveTransaction(LockSession session) throws SQLException;

    /** Called every few seconds, on a thread on which it may take long. */
    default void inBackground(SessionPool pool) {}

    /** Whether the driver can't abort a connection while the network is silent, so that its reads need a separate limit. */
    default boolean abortNeedsServer() {
        return false;
    }

    /**
     * A session on the server that holds or waits for locks of ours.
     *
     * @param statement its last or current statement
     */
    record OtherSession(long serverId, String statement) {}

    /** The sessions on the server that hold or wait for locks of ours, as far as this user may see them. */
    List<OtherSession> otherSessions(LockSession session) throws SQLException;

    /** Whether the server still has a session of this user; {@code session} is another one. */
    boolean isAlive(LockSession session, long serverId) throws SQLException;

    /** The statements of the cycle that the server just broke, as far as this user may see them; may be empty. */
    List<String> lastDeadlock(LockSession session, SQLException error) throws SQLException;
}
