package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreTrait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How one kind of server takes locks inside a transaction.
 *
 * <p>{@code label} is an SQL comment, or empty. It says whose transaction it is, for others who look at the server's tables.
 */
interface Dialect {
    /** What a server says about itself while the locks are held. */
    record ServerState(long micros, boolean standby, long serverId) {}

    /**
     * How far a request came without waiting.
     *
     * @param blockedAt the place of the first lock that can't be had now; negative when all were had
     */
    record Progress(int blockedAt, ServerState state) {}

    /** The kind of store, such as {@code mysql}. */
    String name();

    Set<StoreTrait> traits();

    /** Makes a session of a new connection. */
    Session open(Connection connection, Duration idleLimit) throws SQLException;

    /** Refuses a server on which locks in a transaction of the caller's could be lost unseen. */
    default void checkForCaller(Session session) throws SQLException {}

    /** The idleness that the server is told for leases of this term: not shorter, and as near as the server can. */
    Duration idleLimitFor(Duration term);

    /** How long an unused session can be kept. */
    Duration keptFor(Session session);

    /** Takes locks in order until one can't be had; waits for none. One round trip when all can be had. */
    Progress tryAll(Session session, List<ServerLock> locks, String label) throws SQLException;

    /** Waits for one lock. After a {@link SqlFault#WAIT_OVER} all that was had before is still held. */
    void await(Session session, ServerLock lock, Duration longest, String label) throws SQLException;

    /** Reads the server's state, and so keeps the session from being idle. */
    ServerState confirm(Session session, String label) throws SQLException;

    /** Has the server end the session after this much idleness. */
    void limitIdleness(Session session, Duration limit) throws SQLException;

    /** Whether what was locked after a savepoint can be given back alone. */
    boolean hasSavepoints();

    /** Whether the driver can't abort a connection while the network is silent, so that its reads need a limit of their own. */
    default boolean abortNeedsServer() {
        return false;
    }

    /** Whether a label costs next to nothing, so that every statement carries it. */
    boolean labelsEverything();

    /**
     * A session on the server that holds or waits for locks of ours.
     *
     * @param statement its last or current statement
     */
    record OtherSession(long serverId, String statement) {}

    /** The sessions on the server that hold or wait for locks of ours, as far as this user may see them. */
    List<OtherSession> look(Session session) throws SQLException;

    /** Whether the server still has a session of this user; {@code session} is another one. */
    boolean isAlive(Session session, long serverId) throws SQLException;

    /** The statements of the circle that the server just broke, as far as this user may see them; may be empty. */
    List<String> lastDeadlock(Session session, SQLException error) throws SQLException;
}
