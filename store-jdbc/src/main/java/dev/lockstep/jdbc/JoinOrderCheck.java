package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Finds out whether a server locks the rows of a join in the order in which they are written, and none after the first one that is taken. No
 * manual promises that: it is a matter of the server's optimizer.
 */
final class JoinOrderCheck {
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(5);
    private static final Duration TERM = Duration.ofMinutes(1);
    private static final int ROWS = 3;
    private static final LockKey ANY = LockKind.of("check", 1).key("any");

    /** Takes the locks of some rows in the transaction of a session; fails with {@link SqlFault#BUSY} if one is taken. */
    interface Taking {
        void take(LockSession session, List<ServerLock> locks) throws SQLException;
    }

    private final Taking join;
    private final Taking single;

    JoinOrderCheck(Taking join, Taking single) {
        this.join = join;
        this.single = single;
    }

    /**
     * Checks it with rows of the bucket table that are free, on two connections of the pool's {@code DataSource} that don't count as its own. For
     * some milliseconds other requests find these rows taken. Fails if the connections lead to servers of other versions. One that passes locks
     * in order; one that doesn't may have met a lock of another process.
     */
    boolean passes(SessionPool pool, String version) throws SQLException {
        return on(
                pool,
                holder -> on(pool, taker -> {
                    if (!holder.server.name().equals(taker.server.name())
                            || !holder.server.version().equals(version)
                            || !taker.server.version().equals(version)) {
                        throw new SQLException("The DataSource connects to several servers");
                    }
                    return passes(holder, taker, someLocks(holder));
                }));
    }

    private static boolean on(SessionPool pool, InspectionSession.Call<Boolean> work) throws SQLException {
        pool.requireOpen();
        LockSession session = pool.connect(TERM, SessionPool.FIRST_WAIT);
        pool.watch(session);
        try {
            return work.on(session);
        } finally {
            pool.unwatch(session);
            pool.returnUnused(List.of(session));
        }
    }

    /** Rows that stand for few keys of one kind, chosen at random. */
    private static List<ServerLock> someLocks(LockSession session) throws SQLException {
        long last = session.call(
                LONGEST_CALL,
                null,
                () -> Queries.number(session.connection, "SELECT MAX(bucket) FROM hier_lock_buckets WHERE level = 0"));
        long first = ThreadLocalRandom.current().nextLong(Math.max(1, last - ROWS + 2));
        return LongStream.range(first, first + ROWS)
                .mapToObj(bucket -> ServerLock.numbered(
                        0, bucket, new PlannedLock(ANY, bucket % 2 == 0 ? LockMode.EXCLUSIVE : LockMode.INTENT_SHARED)))
                .toList();
    }

    /** Checks these locks in three orders. Fails with {@link SqlFault#BUSY} if the locks are in use. */
    boolean passes(LockSession holder, LockSession taker, List<ServerLock> locks) throws SQLException {
        List<ServerLock> order = new ArrayList<>(locks);
        boolean passes = stopsAtEach(holder, taker, order);
        Collections.reverse(order);
        passes = passes && stopsAtEach(holder, taker, order);
        Collections.rotate(order, 1);
        return passes && stopsAtEach(holder, taker, order);
    }

    private boolean stopsAtEach(LockSession holder, LockSession taker, List<ServerLock> order) throws SQLException {
        for (ServerLock taken : order) {
            try {
                call(holder, () -> single.take(holder, List.of(exclusive(taken))));
                if (!isRefused(taker, () -> join.take(taker, order)) || !stoppedAt(taken, order, holder)) {
                    return false;
                }
            } finally {
                call(taker, taker.connection::rollback);
                call(holder, holder.connection::rollback);
            }
        }
        return true;
    }

    /** Whether the locks before this one are held, and those after it free. */
    private boolean stoppedAt(ServerLock taken, List<ServerLock> order, LockSession holder) throws SQLException {
        int at = order.indexOf(taken);
        for (int i = 0; i < order.size(); i++) {
            ServerLock lock = exclusive(order.get(i));
            if (i != at && isRefused(holder, () -> single.take(holder, List.of(lock))) != i < at) {
                return false;
            }
        }
        return true;
    }

    private static ServerLock exclusive(ServerLock lock) {
        return new ServerLock(lock.row(), lock.slot(), true, lock.wanted());
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static boolean isRefused(LockSession session, Step step) throws SQLException {
        try {
            call(session, step);
            return false;
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.BUSY) {
                throw e;
            }
            return true;
        }
    }

    private static void call(LockSession session, Step step) throws SQLException {
        session.call(LONGEST_CALL, null, () -> {
            step.run();
            return true;
        });
    }
}
