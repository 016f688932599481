package dev.lockstep.jdbc;

import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** How grants are kept: a session that answers, and so isn't idle, keeps what lives in its transaction. */
final class Renewals {
    private final Dialect dialect;
    private final Queues queues;
    private final Transactions transactions;
    private final ServerSight sight;
    private final Housekeeper housekeeper;
    private final Consumer<JdbcGrant> release;

    Renewals(
            Dialect dialect,
            Queues queues,
            Transactions transactions,
            ServerSight sight,
            Housekeeper housekeeper,
            Consumer<JdbcGrant> release) {
        this.dialect = dialect;
        this.queues = queues;
        this.transactions = transactions;
        this.sight = sight;
        this.housekeeper = housekeeper;
        this.release = release;
    }

    /** Keeps those that can be kept, and answers the others. */
    List<StoreGrant> renew(List<Renewal> renewals) {
        Map<Session, List<Renewal>> bySession = new LinkedHashMap<>();
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

    private void extend(List<Renewal> renewals, Set<StoreGrant> ended) {
        for (Renewal renewal : renewals) {
            JdbcGrant grant = grant(renewal);
            long now = System.nanoTime();
            if (grant.isHeld(now)) {
                grant.prolong(now, renewal.term());
                queues.renew(grant.places, renewal.term());
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
     * While a nested request waits in it, a session can't be pinged. It isn't idle either; that the server still knows it can be seen from
     * another one.
     */
    private boolean isAliveOnServer(Session session, Duration term) {
        if (dialect.idleLimitFor(term).compareTo(session.idleLimit) > 0) {
            session.idleWish = term; // for when the wait is over
        }
        return sight.isAlive(session) && session.isTaking;
    }

    /** Sees to the idleness that renewals asked for while a nested request was at work. */
    void grantIdleWish(Session session) {
        Duration wish = session.idleWish;
        session.idleWish = Duration.ZERO;
        if (!wish.isZero() && !session.isDead()) {
            transactions.keepAlive(session, wish);
        }
    }
}
