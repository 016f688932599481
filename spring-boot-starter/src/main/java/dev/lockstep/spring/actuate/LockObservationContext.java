package dev.lockstep.spring.actuate;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of a request or of a lease while it is observed; more and more as it continues. */
public final class LockObservationContext extends Observation.Context {
    /** What is observed. */
    public enum Phase {
        /** A request, until its locks are acquired or not. */
        ACQUIRE("lockstep.acquire"),
        /** A lease, from the beginning of a task under it until it was released. */
        HOLD("lockstep.hold");

        private final String observation;

        Phase(String observation) {
            this.observation = observation;
        }

        /** The name of such observations. */
        public String observation() {
            return observation;
        }
    }

    /** How long a request waits that doesn't say so: longer than not at all. */
    private static final Duration DEFAULT_WAIT = Duration.ofNanos(1);

    private final Phase phase;
    private final String store;
    private final LockRequest request;
    private volatile @Nullable Lease lease;
    private volatile @Nullable Busy busy;
    private volatile String outcome = "none";

    LockObservationContext(Phase phase, String store, LockRequest request) {
        this.phase = phase;
        this.store = store;
        this.request = request;
    }

    /** What is observed. */
    public Phase phase() {
        return phase;
    }

    /** The kind of store, such as {@code memory}. */
    public String store() {
        return store;
    }

    /** What was asked for. */
    public LockRequest request() {
        return request;
    }

    /** The lease, once there is one. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(lease);
    }

    /** The holders that the request waited for, when its locks were not acquired in time. */
    public Optional<Busy> busy() {
        return Optional.ofNullable(busy);
    }

    /** How it ended: a {@link LockOutcome}, or for a lease {@code completed}, {@code failed} or {@code lost}; {@code none} so far. */
    public String outcome() {
        return outcome;
    }

    void granted(Lease given) {
        lease = given;
        outcome = LockOutcome.GRANTED.text();
    }

    /** The locks were unavailable for a request that says how long it waits, or doesn't wait. */
    void busy(Busy inTheWay) {
        unavailable(inTheWay, request.longestWait().orElse(Duration.ZERO));
    }

    void refused(Throwable error) {
        if (error instanceof LockTimeoutException timeout) {
            unavailable(timeout.busy(), request.longestWait().orElse(DEFAULT_WAIT));
        } else {
            outcome = LockOutcome.of(error).text();
        }
    }

    /** The same names as the meters have: a request that doesn't wait is refused, and times out otherwise. */
    private void unavailable(Busy inTheWay, Duration wait) {
        busy = inTheWay;
        outcome = (wait.isZero() ? LockOutcome.REFUSED : LockOutcome.TIMEOUT).text();
    }

    void held(Lease held) {
        lease = held;
        outcome = "completed";
    }

    void brokenOff(boolean lost) {
        outcome = lost ? "lost" : "failed";
    }
}
