package dev.lockstep.spring.actuate;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.CallSite;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.fallback.FallbackState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who holds and who waits, as the endpoint {@code locks} shows it. Its components are the names in the JSON.
 *
 * @param at when the store was asked
 * @param holdersFound how many there are; {@code holders} may be fewer, the oldest
 * @param waitersFound how many there are; {@code waiters} may be fewer, the oldest
 * @param fallback which of two stores is in use, where one stands in for the other
 */
public record LocksReport(
        String store,
        Instant at,
        int holdersFound,
        int waitersFound,
        List<Held> holders,
        List<Waiting> waiters,
        @Nullable Fallback fallback) {
    /**
     * Which of two stores is in use.
     *
     * @param active the name of the one in use
     * @param grants {@code yes}, {@code fenced}, {@code quiet} or {@code stopped}
     * @param quietForMillis for how long nothing is granted yet, at most
     */
    public record Fallback(
            String active,
            String primary,
            String secondary,
            long epoch,
            String grants,
            long quietForMillis,
            boolean primaryReachable,
            boolean secondaryReachable) {
        static Fallback of(FallbackState state) {
            return new Fallback(
                    state.active(),
                    state.primary(),
                    state.secondary(),
                    state.epoch(),
                    state.grants().name().toLowerCase(Locale.ROOT),
                    state.quietFor().toMillis(),
                    state.primaryReachable(),
                    state.secondaryReachable());
        }
    }

    /**
     * A lock that is held.
     *
     * @param mode IS, IX, S, SIX or X
     * @param expiresAt when it ends unless it is renewed, if the store knows
     * @param callSite the line of code that asked, if it was recorded
     */
    public record Held(
            String key,
            String mode,
            String owner,
            Instant since,
            long ageMillis,
            UUID leaseId,
            @Nullable Instant expiresAt,
            @Nullable String callSite) {
        static Held of(HeldLock lock, Instant now) {
            return new Held(
                    lock.key().toString(),
                    lock.mode().symbol(),
                    lock.owner(),
                    lock.since(),
                    age(lock.since(), now),
                    lock.leaseId(),
                    lock.expiresAt().orElse(null),
                    lock.callSite().map(CallSite::toString).orElse(null));
        }
    }

    /** A request that waits, and the lock that it has come to. */
    public record Waiting(
            String key,
            String mode,
            String owner,
            Instant since,
            long ageMillis,
            UUID leaseId,
            @Nullable String callSite,
            List<InTheWay> blockedBy) {
        static Waiting of(WaitingLock lock, Instant now) {
            return new Waiting(
                    lock.key().toString(),
                    lock.mode().symbol(),
                    lock.owner(),
                    lock.since(),
                    age(lock.since(), now),
                    lock.leaseId(),
                    lock.callSite().map(CallSite::toString).orElse(null),
                    lock.blockedBy().stream()
                            .map(each -> InTheWay.of(each, now))
                            .toList());
        }
    }

    /**
     * A holder or waiter that a request waits for.
     *
     * @param waiting whether it waits itself, ahead in the queue
     */
    public record InTheWay(String mode, String owner, Instant since, long ageMillis, UUID leaseId, boolean waiting) {
        static InTheWay of(Blocker blocker, Instant now) {
            return new InTheWay(
                    blocker.mode().symbol(),
                    blocker.owner(),
                    blocker.since(),
                    age(blocker.since(), now),
                    blocker.leaseId(),
                    blocker.waiting());
        }
    }

    // Servers' clocks may be ahead of this machine's.
    private static long age(Instant since, Instant now) {
        return Math.max(0, Duration.between(since, now).toMillis());
    }
}
