package dev.lockstep.jdbc.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Marks that this process sets in its sessions on servers. A new connection that finds the mark of another one shares a server session with
 * it: a pooler in transaction mode is in between.
 */
public final class SessionMarks {
    private static final Set<String> LIVE = ConcurrentHashMap.newKeySet();

    private SessionMarks() {}

    /** A mark for a new connection, on whose server session {@code found} was set before. */
    public static String next(@Nullable String found) {
        if (found != null && LIVE.contains(found)) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "Two connections of the DataSource share one session on the server: a pooler in transaction mode (PgBouncer, ProxySQL)"
                            + " is between the store and the database, and a lease needs a server session of its own. Nothing was locked."
                            + " Connect the store directly to the database, or use the pooler in session mode.",
                    List.of(),
                    null);
        }
        return UUID.randomUUID().toString();
    }

    public static void begin(String mark) {
        LIVE.add(mark);
    }

    public static void end(String mark) {
        LIVE.remove(mark);
    }
}
