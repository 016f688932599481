package dev.lockstep.jdbc.slots;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One request on its way: first through the queues of this process, then on the server. */
public final class AcquisitionAttempt {
    public final StoreRequest request;
    public final List<ServerLock> locks;

    /** Its tickets for the heads of the queues of this process. */
    public final List<QueueTicket> tickets = new ArrayList<>(1);

    private final Instant since;

    /** The lock that it waits for on the server. */
    private volatile @Nullable ServerLock waitsFor;

    public AcquisitionAttempt(StoreRequest request, List<ServerLock> locks) {
        this.request = request;
        this.locks = locks;
        since = Instant.ofEpochMilli(request.clock().millis());
    }

    /** The lock that the request could not acquire on the server in time. */
    private @Nullable ServerLock busyAt;

    @Nullable
    public ServerLock busyAt() {
        return busyAt;
    }

    public void busyAt(ServerLock lock) {
        busyAt = lock;
    }

    public Instant since() {
        return since;
    }

    @Nullable
    public ServerLock waitsFor() {
        return waitsFor;
    }

    public void waitsFor(@Nullable ServerLock lock) {
        waitsFor = lock;
    }

    /** The lock of the plan that needs this row. */
    public PlannedLock wantedAt(Object row) {
        return locks.stream()
                .filter(lock -> lock.row().equals(row))
                .findFirst()
                .orElse(locks.get(0))
                .wanted();
    }

    /** A request for tickets of this process's queues for some of its rows. */
    public StoreRequest queueing(List<ServerLock> rows, boolean waits, Runnable heldUp) {
        List<PlannedLock> planned = new ArrayList<>(rows.size());
        for (ServerLock lock : rows) {
            planned.add(new PlannedLock(lock.row(), lock.mode()));
        }
        return new Queueing(request, LockPlan.of(planned), waits && request.waits(), heldUp);
    }

    /** The same request for rows instead of keys. */
    private record Queueing(StoreRequest base, LockPlan plan, boolean waits, Runnable heldUp) implements StoreRequest {
        private static final Duration LONGEST = Duration.ofDays(1);

        @Override
        public UUID leaseId() {
            return base.leaseId();
        }

        @Override
        public String owner() {
            return base.owner();
        }

        @Override
        public long holder() {
            return base.holder();
        }

        @Override
        public Deadline deadline() {
            return base.deadline();
        }

        /** Long enough for the wait on the server that may follow. */
        @Override
        public Duration term() {
            Duration left = base.deadline().remaining();
            return base.term().plus(left.compareTo(LONGEST) < 0 ? left : LONGEST);
        }

        @Override
        public void markStart() {
            base.markStart();
        }

        @Override
        public void markStart(long nanos, long millis) {
            base.markStart(nanos, millis);
        }

        @Override
        public long startNanos() {
            return base.startNanos();
        }

        @Override
        public LockClock clock() {
            return base.clock();
        }

        @Override
        public boolean isCancelled() {
            return base.isCancelled();
        }

        @Override
        public List<StoreGrant> outer() {
            return List.of();
        }

        @Override
        public boolean isOver() {
            return base.isOver();
        }

        @Override
        public void contended() {
            heldUp.run();
            base.contended();
        }

        @Override
        public Optional<CallSite> callSite() {
            return base.callSite();
        }
    }
}
