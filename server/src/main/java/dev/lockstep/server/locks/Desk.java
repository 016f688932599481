package dev.lockstep.server.locks;

import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.server.locks.restart.GrantGate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The leases that clients hold over HTTP on this server. What has ended is no longer here. */
@Component
final class Desk {
    private final Locks locks;
    private final StoreCalls calls;
    private final GrantGate gate;
    private final WaitingRoom waiting;
    private final LeaseLimit limit;
    private final RequestIds requests;
    private final EndedLeases ended;
    private final Node node;
    private final Map<UUID, DeskLease> leases = new ConcurrentHashMap<>();

    Desk(
            Locks locks,
            StoreCalls calls,
            GrantGate gate,
            WaitingRoom waiting,
            LeaseLimit limit,
            RequestIds requests,
            EndedLeases ended,
            Node node) {
        this.locks = locks;
        this.calls = calls;
        this.gate = gate;
        this.waiting = waiting;
        this.limit = limit;
        this.requests = requests;
        this.ended = ended;
        this.node = node;
    }

    /** Takes locks. A client that disconnects leaves the queue. */
    Mono<DeskLease> acquire(Ask ask, Handover handover) {
        return calls.where(Mono.create(sink -> {
            gate.requireOpen();
            Waiter waiter = new Waiter(ask, handover, sink, this::problem);
            enter(ask, waiter);
            sink.onDispose(waiter::leave);
            waiter.ask(locks, this::granted, () -> leave(ask, waiter));
            if (gate.isClosed()) { // it closed between the first look and now
                waiter.fail(GrantGate.shuttingDown());
            }
        }));
    }

    private Throwable problem(Throwable error, Duration waited) {
        Throwable cause = LockProblems.cause(error);
        if (cause instanceof GrantsPausedException paused) {
            gate.paused(paused.remaining());
        }
        return LockProblems.of(limit.explained(cause, leases.size()), waited, this::nameOf);
    }

    private void enter(Ask ask, Waiter waiter) {
        limit.enter(ask, leases.size());
        try {
            waiting.enter(waiter);
        } catch (RuntimeException e) {
            limit.leave(ask);
            throw e;
        }
    }

    private void leave(Ask ask, Waiter waiter) {
        waiting.leave(waiter);
        if (!waiter.isGranted()) {
            limit.leave(ask);
        }
    }

    /** Keeps what was granted, or releases it when the client is gone. */
    private boolean granted(DeskLease held, Handover handover) {
        Lease lease = held.lease();
        gate.granted();
        leases.put(lease.id(), held);
        if (held.requestId() != null) {
            requests.granted(held.requestId(), held, handover);
        }
        lease.lost().thenRun(() -> forget(held));
        boolean wanted = handover.grant(lease);
        if (!wanted) {
            giveBack(lease);
        }
        return wanted;
    }

    void giveBack(Lease lease) {
        find(lease.id()).ifPresent(this::forget);
        calls.run(lease::close);
    }

    /** Whether it was kept until now. */
    private boolean forget(DeskLease held) {
        boolean kept = leases.remove(held.lease().id(), held);
        if (kept) {
            requests.ended(held);
            limit.leave(held.ask());
        }
        return kept;
    }

    Mono<DeskLease> renew(LeaseId id, Duration term) {
        return calls.call(() -> {
            DeskLease held = ownedBy(id);
            held.lease().renew(term);
            return held;
        });
    }

    Mono<Void> release(LeaseId id) {
        return calls.call(() -> {
                    DeskLease held = ownedBy(id);
                    boolean first = forget(held);
                    if (!first || held.lease().release() == ReleaseOutcome.LOST) {
                        throw LockProblems.leaseExpired();
                    }
                    return true;
                })
                .then();
    }

    /**
     * Ends a lease in place of its owner, whose next renewal or release reports why. The audit line is written first, also if the client that asked
     * is gone before the response.
     */
    Mono<DeskLease> revoke(UUID id, String by, String reason, Consumer<DeskLease> audit) {
        return calls.call(() -> {
            DeskLease held = find(id).orElseThrow(AdminApi::unknown);
            if (!forget(held)) {
                throw AdminApi.unknown();
            }
            ended.add(held, by, reason);
            try {
                audit.accept(held);
            } finally {
                held.lease().release();
            }
            return held;
        });
    }

    private DeskLease ownedBy(LeaseId id) {
        if (id.secret() == null) {
            throw LockProblems.notOwner();
        }
        DeskLease held = find(id.lease()).orElseThrow(() -> ended.find(id).orElseGet(LockProblems::leaseExpired));
        if (!held.isOwnedBy(id)) {
            throw LockProblems.notOwner();
        }
        return held;
    }

    /** What everybody may see of a lease: with this server's name if it is kept here. */
    String nameOf(UUID lease) {
        return leases.containsKey(lease) ? node.nameOf(lease) : lease.toString();
    }

    Optional<DeskLease> find(UUID id) {
        return Optional.ofNullable(leases.get(id));
    }

    /** When the last of the leases ends by itself; empty when there are none. */
    Optional<Instant> lastEnd() {
        Collection<DeskLease> held = List.copyOf(leases.values());
        return held.stream().map(each -> each.lease().expiresAt()).max(Instant::compareTo);
    }
}
