package dev.lockstep.jdbc;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * How a request gets its locks
 * ----------------------------
 * First it queues in this process, at rows instead of keys: of many who want one row only the first goes to the server, and those who
 * wait have no connection. Then one statement tries all rows on the server, in order, without waiting. That is the whole way as long
 * as no other process is in between: one round trip here, and one for the rollback that ends it.
 *
 * When the statement finds a row taken, the request gives up its places in the queues behind that row, waits for the row on the server, and
 * goes on from there. So nobody who waits on the server keeps others of this process from what it doesn't hold.
 *
 * A nested request runs in the transaction of its holder's outer leases. It doesn't queue in this process: who holds locks on the server waits
 * there, where the server sees a circle. Who waits in this process holds nothing on the server. Hence no circle can be
 * half here and half there.
 */
final class DatabaseStore {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseStore.class);

    /** How much later than its own deadline a call to the server is given up. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(2);

    /** A connection that fails sooner was dead before it was used. */
    private static final long AT_ONCE = TimeUnit.SECONDS.toNanos(1);

    /** How long who doesn't wait for locks waits for its own session, which may be pinged just now. */
    private static final long A_PING = TimeUnit.SECONDS.toNanos(1);

    private static final Duration A_MOMENT = Duration.ofMillis(50);
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(5);

    final Dialect dialect;
    final SessionPool pool;
    private final Slots slots;
    private final String namespace;
    private final MemoryStore queues = MemoryStore.create();
    private final Map<UUID, Attempt> attempts = new ConcurrentHashMap<>();
    private final Set<JdbcGrant> grants = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastToken = new AtomicLong();
    private final SharedRows sharedRows = new SharedRows(grants);
    private final Housekeeper housekeeper;
    private final ServerSight sight;

    DatabaseStore(DataSource dataSource, Dialect dialect, Slots slots, String namespace, int connections) {
        this.dialect = dialect;
        this.slots = slots;
        this.namespace = namespace;
        pool = new SessionPool(dataSource, dialect, connections);
        housekeeper = new Housekeeper(pool, this::labelHolders);
        sight = new ServerSight(pool, slots, namespace, queues, attempts, grants);
        housekeeper.start();
    }

    // ---- acquire

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        pool.requireOpen();
        if (request.waits() && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before locking " + request.plan());
        }
        Attempt attempt = new Attempt(request, slots.of(request.plan()));
        attempts.put(request.leaseId(), attempt);
        try {
            @Nullable JdbcGrant outer = outerOf(request);
            return outer == null ? acquireFirst(attempt) : acquireNested(attempt, outer);
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

    private StoreAnswer acquireFirst(Attempt attempt) throws InterruptedException {
        StoreAnswer place =
                queues.acquire(attempt.queueing(attempt.locks, true, () -> sharedRows.heldUp(attempt.locks)));
        if (place instanceof StoreBusy busy) {
            pool.requireOpen();
            if (!attempt.request.waits()) {
                sharedRows.heldUp(attempt.locks);
            }
            return new StoreBusy(attempt.wantedAt(busy.waitedFor().key()), busy.blockers());
        }
        if (!(place instanceof StoreGrant first)) {
            throw new IllegalStateException("Requests that hold nothing can't be in a circle: " + place);
        }
        attempt.places.add(new Place(attempt.locks, first));
        @Nullable StoreAnswer answer = null;
        try {
            answer = onServer(attempt);
            return answer;
        } finally {
            if (!(answer instanceof StoreGrant)) {
                leaveQueues(attempt.places);
            }
        }
    }

    private StoreAnswer onServer(Attempt attempt) throws InterruptedException {
        Session session = pool.take(attempt.request);
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

    private StoreAnswer inNewTransaction(Attempt attempt, Session session) throws InterruptedException {
        session.use.lock();
        boolean kept = false;
        try {
            attempt.request.markStart();
            Duration term = attempt.request.term();
            if (!session.idleLimit.equals(dialect.idleLimitFor(term))) {
                call(attempt, session, () -> {
                    dialect.limitIdleness(session, term);
                    return true;
                });
            }
            StoreAnswer answer = take(attempt, session, null);
            kept = answer instanceof StoreGrant;
            return answer;
        } catch (SQLException e) {
            throw failure(attempt, e);
        } finally {
            if (!kept) {
                endTransaction(session);
            }
            session.use.unlock();
        }
    }

    /** Goes through the locks on the server; what it has when it ends without a grant is for the caller to give back. */
    private StoreAnswer take(Attempt attempt, Session session, @Nullable String savepoint)
            throws SQLException, InterruptedException {
        StoreRequest request = attempt.request;
        List<ServerLock> rest = attempt.locks;
        session.labelled(false);
        String label = dialect.labelsEverything() ? label(session, attempt, null) : "";
        for (boolean waited = false; ; waited = true) {
            List<ServerLock> now = rest;
            Dialect.Progress progress = call(attempt, session, () -> dialect.tryAll(session, now, label));
            requirePrimary(progress.state(), request);
            int at = progress.blockedAt();
            if (at < 0) {
                return waited
                        ? confirmed(attempt, session, savepoint)
                        : granted(attempt, session, savepoint, progress.state());
            }
            if (!waited && request.waits()) {
                request.contended();
            }
            keepPlacesUpTo(attempt, rest.get(at));
            @Nullable StoreAnswer end = await(attempt, session, rest.get(at));
            if (end != null) {
                return end;
            }
            rest = rest.subList(at + 1, rest.size());
            if (rest.isEmpty()) {
                return confirmed(attempt, session, savepoint);
            }
            queueFor(attempt, rest);
        }
    }

    /** Waits on the server for one lock; answers null when it was had. */
    private @Nullable StoreAnswer await(Attempt attempt, Session session, ServerLock lock)
            throws SQLException, InterruptedException {
        attempt.waitsFor(lock);
        try {
            while (true) {
                long left = attempt.request.deadline().remainingNanos();
                if (!attempt.request.waits() || left <= 0 || attempt.request.isCancelled()) {
                    return busy(session, lock);
                }
                try {
                    String label = label(session, attempt, lock);
                    call(attempt, session, () -> {
                        dialect.await(session, lock, Duration.ofNanos(left), label);
                        return true;
                    });
                    return null;
                } catch (SQLException e) {
                    if (SqlFault.of(e) == SqlFault.DEADLOCK) {
                        return deadlock(attempt, session, lock, e);
                    }
                    if (SqlFault.of(e) != SqlFault.WAIT_OVER && SqlFault.of(e) != SqlFault.BUSY) {
                        throw e;
                    }
                }
            }
        } finally {
            attempt.waitsFor(null);
        }
    }

    private StoreGrant confirmed(Attempt attempt, Session session, @Nullable String savepoint)
            throws SQLException, InterruptedException {
        attempt.request.markStart();
        String label = dialect.labelsEverything() ? label(session, attempt, null) : "";
        Dialect.ServerState state = call(attempt, session, () -> dialect.confirm(session, label));
        requirePrimary(state, attempt.request);
        return granted(attempt, session, savepoint, state);
    }

    private StoreGrant granted(
            Attempt attempt, Session session, @Nullable String savepoint, Dialect.ServerState state) {
        JdbcGrant grant = new JdbcGrant(attempt, session, savepoint, nextToken(state.micros()), System.nanoTime());
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

    static void requirePrimary(Dialect.ServerState state, StoreRequest request) {
        if (state.standby()) {
            throw new LockException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "The database is a standby or read-only: locks taken there exclude nobody on the primary. Connect the store to the"
                            + " primary.",
                    request.plan().locks().stream().map(PlannedLock::key).toList(),
                    null);
        }
    }

    /** Runs one call for a request; ends it when the request is interrupted, cancelled or the store is closed. */
    private <T> T call(Attempt attempt, Session session, SqlCall<T> work) throws SQLException, InterruptedException {
        StoreRequest request = attempt.request;
        long limit = Math.max(0, request.deadline().remainingNanos()) + GRACE;
        try {
            Thread caller = Thread.currentThread();
            return session.call(
                    limit,
                    () -> request.isCancelled() || pool.isClosed() || (request.waits() && caller.isInterrupted()),
                    work);
        } catch (SQLException e) {
            pool.requireOpen();
            if (request.waits() && Thread.interrupted()) {
                throw new InterruptedException("Interrupted while waiting for " + request.plan());
            }
            throw e;
        }
    }

    // ---- nested requests

    private StoreAnswer acquireNested(Attempt attempt, JdbcGrant outer) throws InterruptedException {
        Session session = outer.session;
        long wait = Math.max(A_PING, attempt.request.deadline().remainingNanos());
        if (!session.use.tryLock(wait, TimeUnit.NANOSECONDS)) { // another thread of the same holder is at it
            return new StoreBusy(attempt.locks.get(0).wanted(), List.of());
        }
        try {
            if (session.isDead() || outer.over || !session.grants.contains(outer)) {
                throw lost(attempt);
            }
            return inOuterTransaction(attempt, session);
        } finally {
            session.use.unlock();
        }
    }

    private StoreAnswer inOuterTransaction(Attempt attempt, Session session) throws InterruptedException {
        @Nullable StoreAnswer answer = null;
        @Nullable String savepoint = null;
        session.isTaking = true;
        try {
            queueFor(attempt, attempt.locks);
            attempt.request.markStart();
            raiseIdleLimit(session, attempt.request.term());
            savepoint = setSavepoint(session);
            answer = take(attempt, session, savepoint);
            return answer;
        } catch (SQLException e) {
            throw failure(attempt, e);
        } finally {
            session.isTaking = false;
            if (!(answer instanceof StoreGrant)) {
                leaveQueues(attempt.places);
                backTo(session, savepoint);
            }
            grantIdleWish(session);
            leave(session); // what was released meanwhile
        }
    }

    private static LockException lost(Attempt attempt) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "The connection of the outer lease is gone, and its locks with it. Close the outer lease and start again.",
                attempt.request.plan().locks().stream().map(PlannedLock::key).toList(),
                null);
    }

    private void raiseIdleLimit(Session session, Duration term) throws SQLException {
        if (dialect.idleLimitFor(term).compareTo(session.idleLimit) > 0) {
            session.call(LONGEST_CALL, null, () -> {
                dialect.limitIdleness(session, term);
                return true;
            });
        }
    }

    private void grantIdleWish(Session session) {
        Duration wish = session.idleWish;
        session.idleWish = Duration.ZERO;
        if (!wish.isZero() && !session.isDead() && !pinged(session, wish)) {
            LOG.debug("A session was lost while a nested request used it");
        }
    }

    private @Nullable String setSavepoint(Session session) throws SQLException {
        if (!dialect.hasSavepoints()) {
            return null;
        }
        String name = "lockstep_" + session.grants.size();
        session.call(LONGEST_CALL, null, () -> session.statement().execute("SAVEPOINT " + name));
        return name;
    }

    private void backTo(Session session, @Nullable String savepoint) {
        if (savepoint == null || session.isDead()) {
            return;
        }
        try {
            session.call(LONGEST_CALL, null, () -> session.statement().execute("ROLLBACK TO SAVEPOINT " + savepoint));
        } catch (SQLException e) {
            LOG.warn("The locks of a nested request could not be given back; the outer lease is lost with them", e);
            session.abort();
        }
    }

    // ---- places in this process's queues

    /** Lets others of this process have what comes behind the lock that is waited for. */
    private void keepPlacesUpTo(Attempt attempt, ServerLock lock) {
        int last = attempt.places.size() - 1;
        int at = last < 0 ? -1 : attempt.places.get(last).rows().indexOf(lock);
        if (at >= 0) {
            queues.keepFirst(attempt.places.get(last).grant(), at + 1);
        }
    }

    /** Takes a place for each row if there is nobody in this process; if there is, the server will sort it out. */
    private void queueFor(Attempt attempt, List<ServerLock> rows) throws InterruptedException {
        if (queues.acquire(attempt.queueing(rows, false, () -> {})) instanceof StoreGrant grant) {
            attempt.places.add(new Place(rows, grant));
        }
    }

    private void leaveQueues(List<Place> places) {
        for (int i = places.size() - 1; i >= 0; i--) {
            queues.release(places.get(i).grant());
        }
        places.clear();
    }

    // ---- answers without a grant

    private StoreAnswer busy(Session session, ServerLock lock) {
        return new StoreBusy(lock.wanted(), sight.blockers(lock, session));
    }

    private StoreAnswer deadlock(Attempt attempt, Session session, ServerLock lock, SQLException error) {
        if (!dialect.hasSavepoints()) {
            session.grants.forEach(grant -> grant.over = true); // the server rolled the whole transaction back
        }
        List<PlannedLock> held = ServerSight.heldBy(attempt, session, lock);
        DeadlockReport report = sight.report(attempt.request, attempt.since(), held, lock, error);
        return new StoreDeadlock(report);
    }

    private LockException failure(Attempt attempt, SQLException error) {
        return DatabaseErrors.of(
                error,
                "Locking " + attempt.request.plan() + " on " + dialect.name(),
                attempt.request.plan().locks().stream().map(PlannedLock::key).toList());
    }

    // ---- labels

    String label(Session session, Attempt attempt, @Nullable ServerLock waitsFor) {
        List<String> parts = new ArrayList<>(1 + session.grants.size());
        int place = waitsFor == null ? -1 : attempt.placeInPlan(waitsFor);
        parts.add(Label.part(attempt.request, attempt.since(), place));
        addHolders(session, parts);
        return Label.comment(namespace, parts);
    }

    private String label(Session session) {
        List<String> parts = new ArrayList<>(session.grants.size());
        addHolders(session, parts);
        return Label.comment(namespace, parts);
    }

    private static void addHolders(Session session, List<String> parts) {
        for (JdbcGrant grant : session.grants) {
            if (!grant.over) {
                parts.add(Label.part(grant.request, grant.since, -1));
            }
        }
    }

    /** Has sessions that hold locks for longer than a moment say so on the server, where that isn't done by every statement. */
    private void labelHolders() {
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

    private void ping(Session session) throws SQLException {
        String label = label(session);
        Dialect.ServerState state = session.call(LONGEST_CALL, null, () -> dialect.confirm(session, label));
        if (state.serverId() != session.serverId) { // a driver that reconnects behind our back
            session.markDead();
            throw new SQLException("The driver opened another connection, without the locks", "08003");
        }
        session.labelled(true);
    }

    // ---- renew and release

    List<StoreGrant> renew(List<Renewal> renewals) {
        Map<Session, List<Renewal>> bySession = new LinkedHashMap<>();
        for (Renewal renewal : renewals) {
            bySession
                    .computeIfAbsent(((JdbcGrant) renewal.grant()).session, session -> new ArrayList<>(1))
                    .add(renewal);
        }
        Set<StoreGrant> ended = ConcurrentHashMap.newKeySet();
        housekeeper.forEach(bySession.entrySet(), entry -> renew(entry.getKey(), entry.getValue(), ended));
        return List.copyOf(ended);
    }

    private void renew(Session session, List<Renewal> renewals, Set<StoreGrant> ended) {
        Duration longest =
                renewals.stream().map(Renewal::term).max(Duration::compareTo).orElseThrow();
        if (session.isTaking && isAliveOnServer(session, longest)) {
            extend(renewals, ended);
            return;
        }
        session.use.lock();
        try {
            long now = System.nanoTime();
            if (renewals.stream().noneMatch(renewal -> isHeld((JdbcGrant) renewal.grant(), now))
                    || !pinged(session, longest)) {
                renewals.forEach(renewal -> end((JdbcGrant) renewal.grant(), ended));
            } else {
                extend(renewals, ended);
            }
        } finally {
            session.use.unlock();
        }
    }

    private void extend(List<Renewal> renewals, Set<StoreGrant> ended) {
        for (Renewal renewal : renewals) {
            JdbcGrant grant = (JdbcGrant) renewal.grant();
            if (isHeld(grant, System.nanoTime())) {
                grant.prolong(System.nanoTime(), renewal.term());
                queues.renew(grant.places.stream()
                        .map(place -> new Renewal(place.grant(), renewal.term()))
                        .toList());
            } else {
                end(grant, ended);
            }
        }
    }

    private void end(JdbcGrant grant, Set<StoreGrant> ended) {
        ended.add(grant);
        release(grant);
    }

    /**
     * While a nested request waits in it, a session can't be pinged. It isn't idle either; that the server still knows it can be seen from
     * another one.
     */
    private boolean isAliveOnServer(Session session, Duration term) {
        if (dialect.idleLimitFor(term).compareTo(session.idleLimit) > 0) {
            session.idleWish = term; // for when the wait is over
        }
        return sight.isAlive(session) && session.isTaking;
    }

    private static boolean isHeld(JdbcGrant grant, long now) {
        return !grant.over && !grant.session.isDead() && !grant.isExpired(now);
    }

    private boolean pinged(Session session, Duration term) {
        try {
            raiseIdleLimit(session, term);
            if (session.wasCancelled()) {
                confirmAfterCancel(session);
            }
            ping(session);
            return true;
        } catch (SQLException e) {
            LOG.debug("A session was lost", e);
            session.markDead();
            return false;
        }
    }

    /** Catches a cancel that reached the server when the statement it was meant for had just ended. */
    private void confirmAfterCancel(Session session) throws SQLException {
        try {
            ping(session);
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.WAIT_OVER) {
                throw e;
            }
        }
    }

    boolean release(JdbcGrant grant) {
        Session session = grant.session;
        boolean held = grants.remove(grant) && isHeld(grant, System.nanoTime());
        grant.over = true;
        if (session.isTaking && !session.use.isHeldByCurrentThread()) {
            leaveQueues(grant.places);
            return held; // the nested request that is at work in the session will end it
        }
        session.use.lock();
        try {
            // One that isn't there any more ended with its transaction; the session may be someone else's by now.
            return session.grants.contains(grant) ? leave(session) && held : held;
        } finally {
            leaveQueues(grant.places);
            session.use.unlock();
        }
    }

    /** Ends what is over in a session, from the innermost grant outwards. Answers whether the locks were held until now. */
    private boolean leave(Session session) {
        if (session.isTaking) {
            return true; // going back to a savepoint would take away what the nested request has so far
        }
        @Nullable String savepoint = null;
        while (!session.grants.isEmpty() && session.grants.get(session.grants.size() - 1).over) {
            savepoint = session.grants.remove(session.grants.size() - 1).savepoint;
        }
        if (session.grants.stream().allMatch(grant -> grant.over)) {
            session.grants.clear();
            return endTransaction(session);
        }
        backTo(session, savepoint);
        return true;
    }

    /** Rolls back, and has the session back in the pool; answers false when the connection was gone. */
    private boolean endTransaction(Session session) {
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

    void cancel(StoreRequest request) {
        queues.cancel(request); // a wait on the server is ended by the watch, which asks the request
    }

    // ---- sight

    /** The board on which the kinds of all processes are shown, for a server without tables. To be asked for once. */
    KindBoard kindBoard() {
        KindBoard board = sight.kindBoard();
        housekeeper.alsoDo(board::check);
        return board;
    }

    ServerSight sight() {
        return sight;
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

    LockSnapshot snapshot() {
        return sight.snapshot();
    }

    void close() {
        pool.shut();
        queues.close();
        housekeeper.close();
        Set<Session> used = new LinkedHashSet<>();
        grants.forEach(grant -> used.add(grant.session));
        used.forEach(Session::markDead);
        sight.close();
        pool.close();
    }
}
