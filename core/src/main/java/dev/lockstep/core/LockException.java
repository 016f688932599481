package dev.lockstep.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The root of everything Lockstep throws. */
public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient List<LockKey> keys;

    /** An error about some keys. */
    public LockException(ErrorCode code, String message, List<LockKey> keys, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.keys = List.copyOf(keys);
    }

    /** What went wrong. */
    public ErrorCode code() {
        return code;
    }

    /** Whether the same call may succeed later without a change. */
    public boolean retryable() {
        return code.retryable();
    }

    /** The keys this is about; empty when it is about none, or when the exception was deserialized. */
    @SuppressWarnings("NullAway") // a transient field is null after deserialization
    public List<LockKey> keys() {
        return keys == null ? List.of() : keys;
    }
}
