package dev.lockstep.server.locks;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts a snapshot into the words of the API: leases of this server can be renewed and released here. */
@Component
final class LocksViewMaker {
    private final Desk desk;
    private final Node node;
    private final PairSight pair;

    LocksViewMaker(Desk desk, Node node, PairSight pair) {
        this.desk = desk;
        this.node = node;
        this.pair = pair;
    }

    LocksView view(LockSnapshot snapshot, String store, Predicate<LockKey> wanted, int limit) {
        Instant now = Instant.now();
        List<HeldLock> holders = snapshot.holders().stream()
                .filter(each -> wanted.test(each.key()))
                .toList();
        List<WaitingLock> waiters = snapshot.waiters().stream()
                .filter(each -> wanted.test(each.key()))
                .toList();
        return new LocksView(
                store,
                node.name(),
                now,
                holders.size(),
                waiters.size(),
                holders.stream()
                        .sorted(Comparator.comparing(HeldLock::since).thenComparing(HeldLock::key))
                        .limit(limit)
                        .map(each -> holder(each, now))
                        .toList(),
                waiters.stream()
                        .sorted(Comparator.comparing(WaitingLock::since).thenComparing(WaitingLock::key))
                        .limit(limit)
                        .map(each -> waiter(each, now))
                        .toList(),
                snapshot.fallback().map(pair::view).orElse(null));
    }

    private LocksView.Holder holder(HeldLock held, Instant now) {
        Optional<DeskLease> own = desk.find(held.leaseId());
        @Nullable
        Instant expiresAt =
                own.map(each -> each.lease().expiresAt()).or(held::expiresAt).orElse(null);
        return new LocksView.Holder(
                held.key().toString(),
                held.mode().symbol(),
                held.owner(),
                held.since(),
                BlockerView.age(held.since(), now),
                desk.nameOf(held.leaseId()),
                expiresAt,
                expiresAt == null
                        ? null
                        : Math.max(0, Duration.between(now, expiresAt).toMillis()),
                own.isPresent(),
                text(held.callSite()));
    }

    private LocksView.Waiter waiter(WaitingLock waiting, Instant now) {
        return new LocksView.Waiter(
                waiting.key().toString(),
                waiting.mode().symbol(),
                waiting.owner(),
                waiting.since(),
                BlockerView.age(waiting.since(), now),
                desk.nameOf(waiting.leaseId()),
                waiting.blockedBy().stream()
                        .map(each -> BlockerView.of(each, desk.nameOf(each.leaseId()), now))
                        .toList(),
                text(waiting.callSite()));
    }

    /** A line of the server itself says nothing about who asked. */
    private static @Nullable String text(Optional<CallSite> site) {
        return site.map(CallSite::toString)
                .filter(text -> !text.startsWith("dev.lockstep.server.locks."))
                .orElse(null);
    }
}
