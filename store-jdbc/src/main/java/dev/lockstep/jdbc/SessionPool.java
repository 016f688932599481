package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.DaemonThreads;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.TimeBoundedCall;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections that the store keeps for itself, so that a hold needs no set-up on the server. Connections are opened on other
 * threads: a {@link DataSource} may take longer than a caller wants to wait.
 */
final class SessionPool implements AutoCloseable {
    /** A request that doesn't wait for locks still waits this long for the first connection. */
    private static final long SHORTEST_WAIT = TimeUnit.SECONDS.toNanos(5);

    /** How long a connection that was idle may take to respond before it is used. */
    private static final long LONGEST_CHECK = TimeUnit.SECONDS.toNanos(1);

    /**
     * How long a connection that isn't for a lease may take to be opened. It is the first one of most processes, and one that has just
     * started on a busy machine needs seconds to load the driver.
     */
    static final Duration FIRST_WAIT = Duration.ofSeconds(15);

    /** A network that swallows everything must not use up the permits of later connections. */
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(40);

    /** How long threads that wait for a connection may take to notice that the store is closed. */
    private static final Duration OPENERS_LEAVE = Duration.ofSeconds(2);

    /** How long an unused connection is kept. */
    static final Duration KEPT = Duration.ofSeconds(30);

    /** The same for the last one. */
    static final Duration LAST_KEPT = Duration.ofMinutes(10);

    private final DataSource dataSource;
    private final Dialect dialect;
    private final int most;
    private final CallWatch watch = new CallWatch(this::watched);
    private final ExecutorService openers =
            Executors.newCachedThreadPool(task -> DaemonThreads.create("lockstep-jdbc-connect", task));

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<LockSession> idle = new ArrayDeque<>();
    private final Set<LockSession> all = ConcurrentHashMap.newKeySet();
    private final Set<LockSession> others = ConcurrentHashMap.newKeySet();
    private int opening;

    /** Idle sessions that are kept alive at this moment, and are available right after. */
    private int pinged;

    private int waiting;

    /** Connections that could not be opened, and that were not reported to a request yet. */
    private int failures;

    private @Nullable Throwable lastFailure;
    private volatile boolean closed;

    SessionPool(DataSource dataSource, Dialect dialect, int most) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.most = most;
    }

    static int checkMost(int most) {
        if (most < 1 || most > 10_000) {
            throw new InvalidRequestException("connections(" + most + ") is not between 1 and 10,000.");
        }
        return most;
    }

    Collection<LockSession> sessions() {
        return all;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Has the calls of a session outside of the pool watched, too. */
    void watch(LockSession session) {
        others.add(session);
        watch.wake();
    }

    void unwatch(LockSession session) {
        others.remove(session);
    }

    private Collection<LockSession> watched() {
        List<LockSession> watched = new ArrayList<>(all);
        watched.addAll(others);
        return watched;
    }

    boolean isClosed() {
        return closed;
    }

    /** A session for exclusive use, with this limit on its idleness or another one. */
    LockSession take(StoreRequest request) throws InterruptedException {
        watch.wake();
        long until =
                System.nanoTime() + Math.max(SHORTEST_WAIT, request.deadline().remainingNanos());
        boolean interrupted =
                !request.waits() && Thread.interrupted(); // a request that doesn't wait can't be interrupted
        lock.lock();
        try {
            waiting++;
            try {
                while (true) {
                    requireOpen();
                    @Nullable LockSession session = poll();
                    if (session != null) {
                        return session;
                    }
                    if (failures > 0) { // each one fails one request; the others try again
                        failures--;
                        throw failed();
                    }
                    openAnother(request.term());
                    awaitChange(request, until);
                }
            } finally {
                waiting--;
                failures = Math.min(failures, waiting);
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private void awaitChange(StoreRequest request, long until) throws InterruptedException {
        boolean exhausted = opening == 0 && pinged == 0 && all.size() >= most;
        long left = exhausted ? request.deadline().remainingNanos() : until - System.nanoTime();
        if (left <= 0 || request.isCancelled()) {
            throw exhausted();
        }
        changed.awaitNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
    }

    private @Nullable LockSession poll() {
        long now = System.nanoTime();
        for (@Nullable LockSession session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
            if (!session.isDead()
                    && session.idleNanos(now) < dialect.keptFor(session).toNanos()) {
                return session;
            }
            forget(session);
            openers.execute(session::abort);
        }
        return null;
    }

    private void openAnother(Duration term) {
        if (opening < waiting && all.size() + opening < most) {
            opening++;
            openers.execute(() -> open(term));
        }
    }

    private void open(Duration term) {
        @Nullable LockSession opened = null;
        @Nullable Throwable failure = null;
        try {
            opened = TimeBoundedCall.call(LONGEST_OPENING, () -> connect(term), LockSession::abort);
        } catch (SQLException | RuntimeException | Error e) {
            failure = e;
        }
        lock.lock();
        try {
            opening--;
            if (opened != null) {
                all.add(opened);
                opened.idleSince(System.nanoTime());
                idle.addFirst(opened);
            } else {
                failures = Math.min(failures + 1, waiting);
                lastFailure = failure;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (closed) {
            returnUnused(takeIdle(0));
        }
    }

    /** A new session outside of the count, for inspecting the server. */
    LockSession connect(Duration term) throws SQLException {
        BorrowedConnection borrowed = BorrowedConnection.from(dataSource);
        try {
            return dialect.open(borrowed, term);
        } catch (SQLException | RuntimeException | Error e) {
            borrowed.close();
            throw e;
        }
    }

    /** The same, unless it takes longer. */
    LockSession connect(Duration term, Duration limit) throws SQLException {
        try {
            return TimeBoundedCall.call(limit, () -> connect(term), LockSession::abort);
        } catch (LockException e) {
            throw e;
        } catch (RuntimeException e) { // some pools throw their own
            throw new SQLException("The DataSource gave no connection: " + e.getMessage(), "08001", e);
        }
    }

    /** Returns a session without locks to the pool. */
    void release(LockSession session) {
        if (session.isDead() || closed) {
            drop(session);
            return;
        }
        lock.lock();
        try {
            session.idleSince(System.nanoTime());
            idle.addFirst(session);
            if (waiting > 0) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (closed) {
            returnUnused(takeIdle(0));
        }
    }

    /**
     * Checks a session that was idle for long: a firewall may have dropped its connection, and then a statement waits for a response until
     * the request has no time left. One that does not respond is dropped.
     */
    boolean isResponsive(LockSession session) {
        if (session.idleNanos(System.nanoTime()) < KEPT.toNanos()) {
            return true;
        }
        session.use.lock();
        try {
            session.requireSame(session.call(LONGEST_CHECK, null, () -> dialect.confirm(session, "")));
            return true;
        } catch (SQLException | RuntimeException e) {
            drop(session);
            return false;
        } finally {
            session.use.unlock();
        }
    }

    /** Ends a session whose state is not known. */
    void drop(LockSession session) {
        lock.lock();
        try {
            forget(session);
            changed.signal();
        } finally {
            lock.unlock();
        }
        session.abort();
    }

    private void forget(LockSession session) {
        idle.remove(session);
        all.remove(session);
    }

    /** Ends the unused sessions, which are likely as dead as the one that was just found to be. */
    void dropIdle() {
        for (LockSession session : takeIdle(0)) {
            session.abort();
        }
    }

    /** Returns connections that were not used for long; the last one only after longer, for jobs that lock once in a while. */
    void retireIdle(long now) {
        List<LockSession> retired = new ArrayList<>();
        lock.lock();
        try {
            for (@Nullable LockSession eldest = idle.peekLast();
                    eldest != null && eldest.idleNanos(now) >= (idle.size() > 1 ? KEPT : LAST_KEPT).toNanos();
                    eldest = idle.peekLast()) {
                forget(eldest);
                retired.add(eldest);
            }
        } finally {
            lock.unlock();
        }
        returnUnused(retired);
    }

    /** Keeps the server from ending idle sessions before the pool does. */
    void keepIdleAlive(long now) {
        for (@Nullable LockSession due = takeDue(now); due != null; due = takeDue(now)) {
            keepAlive(due);
        }
    }

    /** One at a time, so that the others stay available. */
    private @Nullable LockSession takeDue(long now) {
        lock.lock();
        try {
            for (LockSession session : idle) {
                if (session.idleNanos(now) > session.idleLimit.toNanos() / 4
                        && dialect.keptFor(session).compareTo(LAST_KEPT) < 0) {
                    idle.remove(session);
                    pinged++;
                    return session;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void keepAlive(LockSession session) {
        try {
            session.call(SHORTEST_WAIT, null, () -> {
                dialect.limitIdleness(session, LAST_KEPT.multipliedBy(2));
                return true;
            });
        } catch (SQLException | RuntimeException e) {
            session.markDead();
        }
        lock.lock();
        try {
            pinged--;
            if (!session.isDead()) {
                idle.addLast(session);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (session.isDead()) {
            drop(session);
        }
    }

    /** Returns unused connections in the state in which they were borrowed, unless the first shows that the server doesn't respond. */
    void returnUnused(List<LockSession> unused) {
        boolean responds = true;
        for (LockSession session : unused) {
            responds = responds && isReturned(session);
            if (!responds) {
                session.abort();
            }
        }
    }

    private boolean isReturned(LockSession session) {
        watch(session);
        try {
            session.call(SHORTEST_WAIT, null, () -> {
                session.restoreAndClose();
                return true;
            });
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        } finally {
            unwatch(session);
        }
    }

    private List<LockSession> takeIdle(long longerThan) {
        long now = System.nanoTime();
        lock.lock();
        try {
            List<LockSession> taken = idle.stream()
                    .filter(session -> session.idleNanos(now) >= longerThan)
                    .toList();
            taken.forEach(this::forget);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private LockException failed() {
        Throwable cause = lastFailure;
        if (cause instanceof LockException refused) {
            return new LockException(refused.code(), String.valueOf(refused.getMessage()), List.of(), refused);
        }
        if (cause instanceof SQLException sql) {
            return DatabaseErrors.of(sql, "Connecting to the database");
        }
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE, "Connecting to the database failed: " + cause, List.of(), cause);
    }

    private LockException exhausted() {
        String message = "No connection to the database was free in time: "
                + (all.size() - idle.size()) + " of " + most + " are in use by leases, " + opening
                + " are being opened, and " + waiting
                + " requests wait for one. A lease keeps one connection while it is held: hold fewer at a time, raise"
                + " connections() of the store, or give it a DataSource with more; it needs one beyond those of the leases.";
        return new LockException(ErrorCode.STORE_UNAVAILABLE, message, List.of(), lastFailure);
    }

    void requireOpen() {
        if (closed) {
            throw new LockException(ErrorCode.CLOSED, "The store on the database is closed.", List.of(), null);
        }
    }

    /** Hands out no more sessions and opens none. Those in use end when they are released. */
    void shut() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        openers.shutdownNow();
        try {
            openers.awaitTermination(OPENERS_LEAVE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        shut();
        returnUnused(takeIdle(0));
        for (LockSession session : List.copyOf(all)) {
            drop(session);
        }
        watch.close();
    }
}
