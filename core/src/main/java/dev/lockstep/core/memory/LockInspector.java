package dev.lockstep.core.memory;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.spi.StoreBusy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts into words what the table holds. The shards of what it is given are locked by the caller. */
final class LockInspector {
    /** A crowd of thousands at one key would otherwise name, and walk past, millions of blockers. */
    private static final int MOST_BLOCKERS = 16;

    private final StoreTime time;

    LockInspector(StoreTime time) {
        this.time = time;
    }

    StoreBusy busy(LockEntry entry, LockMode mode, @Nullable EntryHold self) {
        return new StoreBusy(new PlannedLock(entry.key, mode), blockers(entry, mode, self));
    }

    private List<Blocker> blockers(LockEntry entry, LockMode mode, @Nullable EntryHold self) {
        return entry.firstBlockers(mode, self, MOST_BLOCKERS).stream()
                .map(this::blocker)
                .toList();
    }

    private Blocker blocker(EntryHold hold) {
        Claim claim = hold.claim;
        return new Blocker(
                claim.request.owner(),
                claim.request.leaseId(),
                hold.mode,
                time.wallTime(claim.since()),
                claim.queuedAt() == hold);
    }

    LockSnapshot snapshot(LockTable table) {
        List<HeldLock> holders = new ArrayList<>();
        List<WaitingLock> waiters = new ArrayList<>();
        long now = time.now();
        table.forEachNode(node -> {
            node.forEachHolding((claim, mode) -> {
                if (!claim.hasEnded(now)) {
                    claim.intentsOff().forEach(intent -> holders.add(held(claim, intent.key(), intent.mode())));
                    holders.add(held(claim, node.key(), mode));
                }
            });
            if (node instanceof LockEntry entry) {
                entry.forEachWaiter(hold -> waiters.add(waiting(hold)));
            }
        });
        return new LockSnapshot(holders, waiters);
    }

    private HeldLock held(Claim claim, LockKey key, LockMode mode) {
        return new HeldLock(
                key,
                mode,
                claim.request.owner(),
                claim.request.leaseId(),
                time.wallTime(claim.since()),
                expiresAt(claim),
                claim.request.callSite());
    }

    private Optional<Instant> expiresAt(Claim claim) {
        long expiry = claim.expiry();
        return expiry == Long.MAX_VALUE ? Optional.empty() : Optional.of(time.wallTime(expiry));
    }

    private WaitingLock waiting(EntryHold hold) {
        Claim claim = hold.claim;
        return new WaitingLock(
                hold.entry.key,
                hold.mode,
                claim.request.owner(),
                claim.request.leaseId(),
                time.wallTime(claim.since()),
                blockers(hold.entry, hold.mode, hold),
                claim.request.callSite());
    }
}
