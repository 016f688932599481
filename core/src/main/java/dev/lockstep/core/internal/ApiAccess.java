package dev.lockstep.core.internal;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.Loss;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one way from other packages of core to members of API types that users must not see. {@link LocksBuilder} provides the implementation. Keep
 * it in a static final field: calls then cost no more than direct ones.
 */
public abstract class ApiAccess {
    private static volatile @Nullable ApiAccess provided;

    /** For the implementation. */
    protected ApiAccess() {}

    /** Called once, by the class that implements it. */
    public static void provide(ApiAccess access) {
        provided = access;
    }

    /** The implementation. */
    public static ApiAccess get() {
        if (provided == null) {
            try {
                MethodHandles.lookup().ensureInitialized(LocksBuilder.class);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        return Objects.requireNonNull(provided);
    }

    /** How many keys a request names. */
    public abstract int size(LockRequest request);

    /** The key at this place of a request. */
    public abstract LockKey key(LockRequest request, int index);

    /** The mode of the key at this place of a request. */
    public abstract LockMode mode(LockRequest request, int index);

    /** The options of a request. */
    public abstract RequestOptions options(LockRequest request);

    /** The hash code of the key that many steps above this one. */
    public abstract int ancestorHash(LockKey key, int steps);

    /** Why a lease was lost. */
    public abstract Loss loss(Loss.Reason reason, @Nullable Throwable cause);

    /** The exception for a lease that is lost or closed. */
    public abstract LeaseLostException lost(Lease lease, Loss loss);

    /** The exception for a task bound to a lease that has ended, or a request made through it. */
    public abstract LeaseLostException parentEnded(Lease lease, Loss loss);
}
