package dev.lockstep.server.locks;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The leases that clients hold over HTTP on this server. What has ended is no longer here. */
@Component
final class Desk {
    private final Locks locks;
    private final StoreCalls calls;
    private final GrantGate gate;
    private final WaitingRoom waiting;
    private final int mostLeases;
    private final Map<UUID, DeskLease> leases = new ConcurrentHashMap<>();

    Desk(Locks locks, StoreCalls calls, GrantGate gate, WaitingRoom waiting, ServerProperties properties) {
        this.locks = locks;
        this.calls = calls;
        this.gate = gate;
        this.waiting = waiting;
        mostLeases = properties.limits().leases();
    }

    /** Takes locks. Whoever stops listening to the answer leaves the queue. */
    Mono<DeskLease> acquire(Ask ask, Handover handover) {
        return calls.where(Mono.create(sink -> {
            gate.requireOpen();
            requirePlace();
            Waiter waiter = new Waiter(ask, handover, sink);
            waiting.enter(waiter);
            sink.onDispose(waiter::leave);
            waiter.ask(locks, this::granted, () -> waiting.leave(waiter));
            if (gate.isClosed()) { // it closed between the first look and now
                waiter.fail(GrantGate.shuttingDown());
            }
        }));
    }

    private void requirePlace() {
        if (leases.size() + waiting.size() >= mostLeases) {
            throw Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "too-many-leases",
                    true,
                    "This server keeps " + mostLeases + " leases at a time, and has as many. Try again when some are"
                            + " released, or raise lockstep.server.limits.leases.");
        }
    }

    /** Keeps what was granted, or gives it back when the client is gone. */
    private boolean granted(DeskLease held, Handover handover) {
        Lease lease = held.lease();
        leases.put(lease.id(), held);
        lease.lost().thenRun(() -> leases.remove(lease.id(), held));
        boolean wanted = handover.grant(lease);
        if (!wanted) {
            giveBack(lease);
        }
        return wanted;
    }

    void giveBack(Lease lease) {
        leases.remove(lease.id());
        calls.run(lease::close);
    }

    Mono<DeskLease> renew(UUID id, Duration term) {
        return calls.call(() -> {
            DeskLease held = find(id).orElseThrow(LockProblems::leaseExpired);
            held.lease().renew(term);
            return held;
        });
    }

    Mono<Void> release(UUID id) {
        return calls.call(() -> {
                    DeskLease held = find(id).orElseThrow(LockProblems::leaseExpired);
                    boolean first = leases.remove(id, held);
                    if (!first || held.lease().release() == ReleaseOutcome.LOST) {
                        throw LockProblems.leaseExpired();
                    }
                    return true;
                })
                .then();
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
