package dev.lockstep.jdbc;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.ServerLock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request in a transaction of the caller's, which has no term and no lease that could be lost. */
final class TransactionRequest implements StoreRequest {
    private final LockRequest request;
    private final LockPlan plan;
    private final Deadline deadline;
    private final UUID id = UUID.randomUUID();
    private final long start = LockClock.system().nanos();
    private final Instant since = Instant.ofEpochMilli(LockClock.system().millis());
    private @Nullable ServerLock heldUpAt;

    TransactionRequest(LockRequest request, Deadline deadline) {
        this.request = request;
        this.deadline = deadline;
        plan = LockPlan.of(request);
    }

    List<LockKey> keys() {
        return request.keys();
    }

    /** The kinds of its keys with those above them, to be declared together. */
    List<KindDefinition> kinds() {
        return keys().stream()
                .flatMap(key -> KindDefinition.chain(key.kind()).stream())
                .distinct()
                .toList();
    }

    Instant since() {
        return since;
    }

    Duration waited() {
        return Duration.ofNanos(clock().nanos() - start);
    }

    @Nullable
    ServerLock heldUpAt() {
        return heldUpAt;
    }

    void heldUpAt(ServerLock lock) {
        heldUpAt = lock;
    }

    @Override
    public UUID leaseId() {
        return id;
    }

    @Override
    public String owner() {
        return request.owner().orElseGet(() -> Thread.currentThread().getName());
    }

    @Override
    public long holder() {
        return 0;
    }

    @Override
    public LockPlan plan() {
        return plan;
    }

    @Override
    public boolean waits() {
        return !deadline.passed();
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public Duration term() {
        return Duration.ZERO;
    }

    @Override
    public void markStart() {}

    @Override
    public void markStart(long nanos, long millis) {}

    @Override
    public long startNanos() {
        return start;
    }

    @Override
    public LockClock clock() {
        return LockClock.system();
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public List<StoreGrant> outer() {
        return List.of();
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public void contended() {}

    @Override
    public Optional<CallSite> callSite() {
        return Optional.empty();
    }
}
