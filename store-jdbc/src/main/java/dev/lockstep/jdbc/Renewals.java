package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.jdbc.slots.Queues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Renews grants: a session that responds, and so isn't idle, keeps what lives in its transaction. */
final class Renewals {
    /** How long a renewal waits for a session that a nested request uses. */
    private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(5);

    private static final long A_MOMENT = TimeUnit.MILLISECONDS.toNanos(50);

    private final Dialect dialect;
    private final Queues queues;
    private final Transactions transactions;
    private final ServerLockInspector inspector;
    private final Housekeeper housekeeper;
    private final Consumer<JdbcGrant> release;

    Renewals(
            Dialect dialect,
            Queues queues,
            Transactions transactions,
            ServerLockInspector inspector,
            Housekeeper housekeeper,
            Consumer<JdbcGrant> release) {
        this.dialect = dialect;
        this.queues = queues;
        this.transactions = transactions;
        this.inspector = inspector;
        this.housekeeper = housekeeper;
        this.release = release;
    }

    /** Renews those that can be renewed, and returns the others. */
    List<StoreGrant> renew(List<Renewal> renewals) {
        Map<LockSession, List<Renewal>> bySession = new LinkedHashMap<>();
        for (Renewal renewal : renewals) {
            bySession
                    .computeIfAbsent(grant(renewal).session, session -> new ArrayList<>(1))
                    .add(renewal);
        }
        Set<StoreGrant> ended = ConcurrentHashMap.newKeySet();
        housekeeper.forEach(bySession.entrySet(), entry -> renew(entry.getKey(), entry.getValue(), ended));
        return List.copyOf(ended);
    }

    private static JdbcGrant grant(Renewal renewal) {
        return (JdbcGrant) renewal.grant();
    }

    private void renew(LockSession session, List<Renewal> renewals, Set<StoreGrant> ended) {
        Duration longest =
                renewals.stream().map(Renewal::term).max(Duration::compareTo).orElseThrow();
        long until = System.nanoTime() + LONGEST_WAIT;
        long proofs = session.proofs();
        while (!enter(session)) {
            if (isAliveBesideNested(session, longest, proofs)) {
                extend(renewals, ended);
                return;
            }
            requireTime(until);
        }
        try {
            long now = System.nanoTime();
            if (renewals.stream().anyMatch(renewal -> grant(renewal).isHeld(now))
                    && transactions.keepAlive(session, longest)) {
                extend(renewals, ended);
            } else {
                renewals.forEach(renewal -> end(grant(renewal), ended));
            }
        } finally {
            session.use.unlock();
        }
    }

    /** Waits a moment for the session: a nested request may hold it for long. */
    private static boolean enter(LockSession session) {
        try {
            return session.use.tryLock(A_MOMENT, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown("the thread was interrupted", e);
        }
    }

    private static void requireTime(long until) {
        if (System.nanoTime() - until > 0) {
            throw unknown("another request uses its connection", null);
        }
    }

    private static LockException unknown(String why, @Nullable Exception cause) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "A lease could not be renewed: " + why + ". It stays as it is until its term ends.",
                List.of(),
                cause);
    }

    private void extend(List<Renewal> renewals, Set<StoreGrant> ended) {
        for (Renewal renewal : renewals) {
            JdbcGrant grant = grant(renewal);
            long now = System.nanoTime();
            if (grant.isHeld(now)) {
                grant.prolong(now, renewal.term());
                queues.renew(grant.tickets, renewal.term());
            } else {
                end(grant, ended);
            }
        }
    }

    private void end(JdbcGrant grant, Set<StoreGrant> ended) {
        ended.add(grant);
        release.accept(grant);
    }

    /**
     * While a nested request waits in it, a session can't be pinged. It isn't idle either; that the server still has it can be seen from
     * another one. If there is no connection for that, the nested request is asked to interrupt its wait and prove it.
     */
    private boolean isAliveBesideNested(LockSession session, Duration term, long proofsBefore) {
        if (!session.isTaking) {
            return false;
        }
        if (dialect.idleLimitFor(term).compareTo(session.idleLimit) > 0) {
            session.idleWish = term; // for when the wait has ended
        }
        Optional<Boolean> seen = inspector.isAlive(session);
        if (seen.isEmpty()) {
            session.wantProof();
        }
        return session.isTaking && (seen.orElse(false) || session.proofs() != proofsBefore);
    }

    /** Sees to the idleness that renewals asked for while a nested request was at work. */
    void grantIdleWish(LockSession session) {
        Duration wish = session.idleWish;
        session.idleWish = Duration.ZERO;
        if (!wish.isZero() && !session.isDead()) {
            transactions.keepAlive(session, wish);
        }
    }
}
