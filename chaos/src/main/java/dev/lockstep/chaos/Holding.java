package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A lease, and what its holder saw of it: at which moments it was held, and until when it could be counted on then. A moment is
 * read before the look and an end after it, so what is written down is never more than what was so.
 */
final class Holding {
    private static final long WRITE_EVERY = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LOSS_IS_TOLD_WITHIN = 60;

    /** Milliseconds of two clocks are whole ones. */
    private static final int ROUNDING = 2;

    private final Lease lease;
    private final long op;
    private final LockClock clock;
    private final History history;
    private @Nullable HistoryLine unwritten;
    private long writtenAt;

    Holding(Lease lease, long op, LockClock clock, History history) {
        this.lease = lease;
        this.op = op;
        this.clock = clock;
        this.history = history;
    }

    FencingToken token() {
        return lease.token();
    }

    long op() {
        return op;
    }

    /** Whether it is held now. */
    boolean look() {
        long now = clock.nanos();
        if (!lease.isHeld()) {
            return false;
        }
        long leftMillis = lease.expiresAt().toEpochMilli() - clock.millis() - ROUNDING;
        unwritten = HistoryLine.of(now, "held", "op", op, "until", now + TimeUnit.MILLISECONDS.toNanos(leftMillis));
        if (now - writtenAt >= WRITE_EVERY) {
            writeLast();
            writtenAt = now;
        }
        return true;
    }

    private void writeLast() {
        if (unwritten != null) {
            history.add(unwritten);
            unwritten = null;
        }
    }

    /** Asks for a full term at once, as a caller may. */
    void renew() {
        try {
            lease.renew();
        } catch (LockException e) {
            history.now("unrenewed", "op", op, "code", e.code().text());
        }
    }

    /** Writes down how a lease was lost that a look found not held any more. */
    void lost() throws InterruptedException {
        writeLast();
        history.now("lost", "op", op, "reason", reason());
    }

    private String reason() throws InterruptedException {
        try {
            return lease.lost()
                    .toCompletableFuture()
                    .get(LOSS_IS_TOLD_WITHIN, TimeUnit.SECONDS)
                    .reason()
                    .name();
        } catch (TimeoutException e) {
            return lease.isHeld() ? "REVIVED" : "UNTOLD";
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    void release() {
        writeLast();
        history.now("release", "op", op);
        history.now("released", "op", op, "outcome", lease.release());
    }
}
