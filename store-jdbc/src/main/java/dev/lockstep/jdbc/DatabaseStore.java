package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.AcquisitionAttempt;
import dev.lockstep.jdbc.slots.Queues;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.slots.Slots;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/*
 * How a request gets its locks
 * ----------------------------
 * First it queues in this process, at rows instead of keys: of many requests for one row only the first goes to the server, and those that
 * wait have no connection. Then one statement tries all rows on the server, in order, without waiting. That is the whole way as long
 * as no other process is in between: one round trip here, and one for the rollback that ends it.
 *
 * When the statement finds a row taken, the request gives up its tickets for the queues behind that row, waits for the row on the server, and
 * continues from there. So a request that waits on the server does not block others of this process from what it doesn't hold.
 *
 * A nested request runs in the transaction of its holder's outer leases. It doesn't queue in this process: a holder of locks on the server waits
 * there, where the server detects a cycle. A request that waits in this process holds nothing on the server. Hence no cycle can be
 * half here and half there.
 */
final class DatabaseStore {
    /** A connection that fails sooner was dead before it was used. */
    private static final long AT_ONCE = TimeUnit.SECONDS.toNanos(1);

    /** How long a request that doesn't wait for locks waits for its own session, which may be pinged just now. */
    private static final long A_PING = TimeUnit.SECONDS.toNanos(1);

    /** How long a wait for a sibling lasts before it checks again: a release beside a nested request gives no signal. */
    private static final long CHECK_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

    final Dialect dialect;
    final SessionPool pool;
    private final Slots slots;
    private final String namespace;
    private final Queues queues = new Queues();
    private final Map<UUID, AcquisitionAttempt> attempts = new ConcurrentHashMap<>();
    private final Set<JdbcGrant> grants = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastToken = new AtomicLong();
    private final SharedRows sharedRows = new SharedRows(grants, System::nanoTime);
    private final Transactions transactions;
    private final Housekeeper housekeeper;
    private final ServerLockInspector inspector;
    private final Renewals renewals;

    DatabaseStore(DataSource dataSource, Dialect dialect, Slots slots, String namespace, int connections) {
        this.dialect = dialect;
        this.slots = slots;
        this.namespace = namespace;
        pool = new SessionPool(dataSource, dialect, connections);
        transactions = new Transactions(pool, namespace);
        housekeeper = new Housekeeper(pool, transactions::tagHolders);
        inspector = new ServerLockInspector(pool, slots, namespace, queues, attempts, grants);
        renewals = new Renewals(dialect, queues, transactions, inspector, housekeeper, this::release);
        housekeeper.alsoDo(() -> dialect.inBackground(pool));
        housekeeper.start();
    }

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        pool.requireOpen();
        if (request.waits() && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before locking " + request.plan());
        }
        AcquisitionAttempt attempt = new AcquisitionAttempt(request, slots.of(request.plan()));
        attempts.put(request.leaseId(), attempt);
        try {
            @Nullable JdbcGrant outer = outerOf(request);
            StoreAnswer answer = outer == null ? acquireFirst(attempt) : acquireNested(attempt, outer);
            @Nullable ServerLock busyAt = attempt.busyAt();
            return answer instanceof StoreBusy && busyAt != null
                    ? new StoreBusy(
                            busyAt.wanted(),
                            inspector.blockers(busyAt, outer == null ? null : outer.session, !request.waits()))
                    : answer;
        } finally {
            attempts.remove(request.leaseId());
        }
    }

    private static @Nullable JdbcGrant outerOf(StoreRequest request) {
        List<StoreGrant> outer = request.outer();
        for (int i = outer.size() - 1; i >= 0; i--) {
            if (outer.get(i) instanceof JdbcGrant grant && !grant.session.isDead()) {
                return grant;
            }
        }
        return null;
    }

    // ---- in a new transaction

    private StoreAnswer acquireFirst(AcquisitionAttempt attempt) throws InterruptedException {
        StoreAnswer ticket = queues.await(attempt, () -> sharedRows.heldUp(attempt.locks));
        if (ticket instanceof StoreBusy busy) {
            pool.requireOpen();
            if (!attempt.request.waits()) {
                sharedRows.heldUp(attempt.locks);
            }
            return new StoreBusy(attempt.wantedAt(busy.waitedFor().key()), busy.blockers());
        }
        if (attempt.tickets.isEmpty()) {
            throw new IllegalStateException("Requests that hold nothing can't be in a cycle: " + ticket);
        }
        @Nullable StoreAnswer answer = null;
        try {
            answer = onServer(attempt);
            return answer;
        } finally {
            if (!(answer instanceof StoreGrant)) {
                queues.leave(attempt.tickets);
            }
        }
    }

    private StoreAnswer onServer(AcquisitionAttempt attempt) throws InterruptedException {
        LockSession session = pool.take(attempt.request);
        if (!pool.isResponsive(session)) {
            pool.dropIdle();
            session = pool.take(attempt.request);
        }
        long start = System.nanoTime();
        try {
            return inNewTransaction(attempt, session);
        } catch (LockException e) {
            if (!session.isDead() || System.nanoTime() - start > AT_ONCE) {
                throw e;
            }
        }
        // The connection was dead, and likely so are the others that were idle. One more try, on a new one.
        pool.dropIdle();
        return inNewTransaction(attempt, pool.take(attempt.request));
    }

    private StoreAnswer inNewTransaction(AcquisitionAttempt attempt, LockSession session) throws InterruptedException {
        session.use.lock();
        boolean kept = false;
        try {
            attempt.request.markStart();
            ServerAcquisition acquisition = acquisition(attempt, session);
            Duration term = attempt.request.term();
            if (!session.idleLimit.equals(dialect.idleLimitFor(term))) {
                acquisition.call(() -> {
                    dialect.limitIdleness(session, term);
                    return true;
                });
            }
            StoreAnswer answer = answer(attempt, session, false, acquisition.run());
            kept = answer instanceof StoreGrant;
            return answer;
        } catch (SQLException e) {
            throw failure(attempt, e);
        } finally {
            if (!kept) {
                transactions.end(session);
            }
            session.use.unlock();
        }
    }

    private ServerAcquisition acquisition(AcquisitionAttempt attempt, LockSession session) {
        return new ServerAcquisition(attempt, session, pool, queues, transactions, inspector);
    }

    private StoreAnswer answer(
            AcquisitionAttempt attempt, LockSession session, boolean nested, ServerAcquisition.End end) {
        if (end.answer() != null) {
            return end.answer();
        }
        Dialect.ServerState state = Objects.requireNonNull(end.state());
        JdbcGrant grant = new JdbcGrant(attempt, session, nested, nextToken(state.micros()), System.nanoTime());
        session.grants.add(grant);
        grants.add(grant);
        return grant;
    }

    FencingToken token(Dialect.ServerState state) {
        return new FencingToken(0, nextToken(state.micros()));
    }

    private long nextToken(long micros) {
        return lastToken.updateAndGet(last -> Math.max(last + 1, micros));
    }

    // ---- in the transaction of the outer leases

    private StoreAnswer acquireNested(AcquisitionAttempt attempt, JdbcGrant outer) throws InterruptedException {
        LockSession session = outer.session;
        long wait = Math.max(A_PING, attempt.request.deadline().remainingNanos());
        if (!session.use.tryLock(wait, TimeUnit.NANOSECONDS)) { // another thread of the same holder is at it
            return new StoreBusy(attempt.locks.get(0).wanted(), List.of());
        }
        try {
            StoreBusy busy = awaitSiblings(attempt, session, outer);
            return busy == null ? inOuterTransaction(attempt, session) : busy;
        } finally {
            session.use.unlock();
        }
    }

    /**
     * Waits until no sibling holds a row that the request needs: children of one lease share its session, in which the server keeps none of
     * them from another's rows. Each wait gives up the session, which may have gone to another holder afterwards.
     */
    private @Nullable StoreBusy awaitSiblings(AcquisitionAttempt attempt, LockSession session, JdbcGrant outer)
            throws InterruptedException {
        requireLive(attempt, session, outer);
        for (ServerLock taken = takenBySibling(attempt, session);
                taken != null;
                taken = takenBySibling(attempt, session)) {
            long left = attempt.request.waits() ? attempt.request.deadline().remainingNanos() : 0;
            if (left <= 0 || attempt.request.isCancelled()) {
                return new StoreBusy(taken.wanted(), List.of());
            }
            session.released.awaitNanos(Math.min(left, CHECK_AGAIN));
            requireLive(attempt, session, outer);
        }
        return null;
    }

    private void requireLive(AcquisitionAttempt attempt, LockSession session, JdbcGrant outer) {
        pool.requireOpen();
        if (session.isDead()) {
            throw lost(attempt);
        }
        if (outer.ended || !session.grants.contains(outer)) {
            throw new LockException(
                    ErrorCode.LEASE_LOST,
                    "The outer lease has ended. Nothing was acquired. Request nested locks before it ends.",
                    keysOf(attempt),
                    null);
        }
    }

    private static @Nullable ServerLock takenBySibling(AcquisitionAttempt attempt, LockSession session) {
        for (JdbcGrant grant : session.grants) {
            if (!grant.ended && !attempt.request.outer().contains(grant)) {
                for (ServerLock lock : attempt.locks) {
                    if (grant.locks.stream().anyMatch(lock::conflictsWith)) {
                        return lock;
                    }
                }
            }
        }
        return null;
    }

    private StoreAnswer inOuterTransaction(AcquisitionAttempt attempt, LockSession session)
            throws InterruptedException {
        @Nullable StoreAnswer answer = null;
        boolean begun = false;
        session.beginTaking();
        try {
            queues.enter(attempt, attempt.locks);
            attempt.request.markStart();
            transactions.raiseIdleLimit(session, attempt.request.term());
            transactions.beginNested(session);
            begun = true;
            ServerAcquisition.End end = acquisition(attempt, session).run();
            if (end.answer() == null) {
                transactions.keepNested(session, attempt.locks);
            }
            answer = answer(attempt, session, true, end);
            return answer;
        } catch (SQLException e) {
            throw failure(attempt, e);
        } finally {
            session.isTaking = false;
            if (!(answer instanceof StoreGrant)) {
                queues.leave(attempt.tickets);
                undo(session, begun);
            }
            renewals.grantIdleWish(session);
            transactions.leave(session); // what was released meanwhile
        }
    }

    private void undo(LockSession session, boolean begun) {
        if (begun) {
            transactions.undoNested(session);
        }
    }

    // ---- errors

    private static LockException lost(AcquisitionAttempt attempt) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "The connection of the outer lease is gone, and its locks with it. Close the outer lease and start again.",
                keysOf(attempt),
                null);
    }

    private LockException failure(AcquisitionAttempt attempt, SQLException error) {
        return DatabaseErrors.of(error, "Locking " + attempt.request.plan() + " on " + dialect.name(), keysOf(attempt));
    }

    private static List<LockKey> keysOf(AcquisitionAttempt attempt) {
        return attempt.request.plan().locks().stream().map(PlannedLock::key).toList();
    }

    // ---- afterwards

    List<StoreGrant> renew(List<Renewal> asked) {
        return renewals.renew(asked);
    }

    boolean release(JdbcGrant grant) {
        LockSession session = grant.session;
        boolean held = grants.remove(grant) && grant.isHeld(System.nanoTime());
        grant.ended = true;
        try {
            if (session.isTaking && !session.use.isHeldByCurrentThread()) {
                return held; // the nested request that is at work in the session will end it
            }
            session.use.lock();
            try {
                session.released.signalAll();
                // One that isn't there any more ended with its transaction; the session may belong to another request
                // by now.
                return session.grants.contains(grant) ? transactions.leave(session) && held : held;
            } finally {
                session.use.unlock();
            }
        } finally {
            queues.leave(grant.tickets);
        }
    }

    void cancel(StoreRequest request) {
        queues.cancel(request); // a wait on the server is ended by the watch, which asks the request
    }

    // ---- inspection

    /** The advertisement of kinds, for a server without tables. Call it once. */
    KindAdvertisement kindAdvertisement() {
        KindAdvertisement advertisement = inspector.kindAdvertisement();
        housekeeper.alsoDo(advertisement::check);
        return advertisement;
    }

    ServerLockInspector inspector() {
        return inspector;
    }

    Slots slots() {
        return slots;
    }

    String namespace() {
        return namespace;
    }

    long sharedRowWaits() {
        return sharedRows.count();
    }

    List<SharedRow> hottestRows() {
        return sharedRows.hottest();
    }

    LockSnapshot snapshot() {
        return inspector.snapshot();
    }

    void close() {
        pool.shut();
        queues.close();
        housekeeper.close();
        Set<LockSession> used = new LinkedHashSet<>();
        grants.forEach(grant -> used.add(grant.session));
        used.forEach(LockSession::markDead);
        inspector.close();
        pool.close();
    }
}
