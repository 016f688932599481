package dev.lockstep.spring.actuate;

import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.WaitingLock;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** The endpoint {@code locks}: who holds and who waits now, in the whole store. It changes nothing. */
@Endpoint(id = "locks")
public final class LocksEndpoint {
    private static final int USUAL = 100;
    private static final int MOST = 1_000;

    private final Locks locks;
    private final Kinds kinds;
    private final Clock clock;

    /** Shows the store of these locks, whose kinds are known even where nothing is locked. */
    public LocksEndpoint(Locks locks, Kinds kinds) {
        this(locks, kinds, Clock.systemUTC());
    }

    LocksEndpoint(Locks locks, Kinds kinds, Clock clock) {
        this.locks = locks;
        this.kinds = kinds;
        this.clock = clock;
    }

    /**
     * All of them, the oldest first.
     *
     * @param key only keys whose text begins so, such as {@code user:u1/}
     * @param limit how many holders and how many waiters at most; 100 unless given, no more than 1,000
     */
    @ReadOperation
    public LocksReport all(@Nullable String key, @Nullable Integer limit) {
        return report(locks.snapshot(), begins(key), size(limit));
    }

    /** The same for keys of one kind alone, such as {@code account}; nothing for a kind that is neither declared nor in the store. */
    @ReadOperation
    public @Nullable LocksReport ofKind(@Selector String kind, @Nullable String key, @Nullable Integer limit) {
        Predicate<LockKey> ofKind = each -> each.kind().prefix().equals(kind);
        LockSnapshot snapshot = locks.snapshot();
        boolean isKnown = kinds.find(kind).isPresent()
                || snapshot.holders().stream().map(HeldLock::key).anyMatch(ofKind)
                || snapshot.waiters().stream().map(WaitingLock::key).anyMatch(ofKind);
        return isKnown ? report(snapshot, ofKind.and(begins(key)), size(limit)) : null;
    }

    private static Predicate<LockKey> begins(@Nullable String text) {
        return key -> text == null || key.toString().startsWith(text);
    }

    private static int size(@Nullable Integer limit) {
        if (limit == null) {
            return USUAL;
        }
        if (limit < 1 || limit > MOST) {
            String reason = "The limit is " + limit + ". Give 1 to " + MOST + ", and narrow down with kind or key.";
            throw new InvalidEndpointRequestException(reason, reason);
        }
        return limit;
    }

    private LocksReport report(LockSnapshot snapshot, Predicate<LockKey> wanted, int limit) {
        Instant now = clock.instant();
        List<HeldLock> held = snapshot.holders().stream()
                .filter(each -> wanted.test(each.key()))
                .sorted(Comparator.comparing(HeldLock::since).thenComparing(HeldLock::key))
                .toList();
        List<WaitingLock> waiting = snapshot.waiters().stream()
                .filter(each -> wanted.test(each.key()))
                .sorted(Comparator.comparing(WaitingLock::since).thenComparing(WaitingLock::key))
                .toList();
        return new LocksReport(
                locks.storeName(),
                now,
                held.size(),
                waiting.size(),
                held.stream()
                        .limit(limit)
                        .map(each -> LocksReport.Held.of(each, now))
                        .toList(),
                waiting.stream()
                        .limit(limit)
                        .map(each -> LocksReport.Waiting.of(each, now))
                        .toList(),
                snapshot.fallback().map(LocksReport.Fallback::of).orElse(null));
    }
}
