package dev.lockstep.jdbc;

import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.AcquisitionAttempt;
import dev.lockstep.jdbc.slots.QueueTicket;
import dev.lockstep.jdbc.slots.ServerLock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Locks that live in a session's transaction. Guarded by the session's {@link LockSession#use}, unless said otherwise. */
final class JdbcGrant implements StoreGrant {
    final StoreRequest request;
    final List<ServerLock> locks;
    final LockSession session;
    final List<QueueTicket> tickets;
    final Instant since;

    /** Whether it was nested when it was acquired. */
    final boolean nested;

    private final long token;
    private volatile long endsAt;

    /** Released by its holder, or lost, while others may still live in the transaction. */
    volatile boolean ended;

    JdbcGrant(AcquisitionAttempt attempt, LockSession session, boolean nested, long token, long now) {
        request = attempt.request;
        locks = attempt.locks;
        tickets = List.copyOf(attempt.tickets);
        since = Instant.ofEpochMilli(attempt.request.clock().millis());
        this.session = session;
        this.nested = nested;
        this.token = token;
        endsAt = now + request.term().toNanos();
    }

    @Override
    public long token() {
        return token;
    }

    /** May be asked without the session. */
    boolean isExpired(long now) {
        return now - endsAt >= 0;
    }

    /** When it ends unless it is renewed; may be asked without the session. */
    Instant expiresAt(long now) {
        return Instant.ofEpochMilli(request.clock().millis()).plusNanos(endsAt - now);
    }

    /** Whether its locks can be counted on; may be asked without the session. */
    boolean isHeld(long now) {
        return !ended && !session.isDead() && !isExpired(now);
    }

    void prolong(long now, Duration term) {
        long wanted = now + term.toNanos();
        if (wanted - endsAt > 0) {
            endsAt = wanted;
        }
    }
}
