package dev.lockstep.projectlock;

import dev.lockstep.core.LockException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A project lock that could not be acquired, renewed or released. */
public final class ProjectLockException extends LockException {
    private static final long serialVersionUID = 1L;

    private final ProjectLockFailure failure;

    /** An error of one kind; the message says what, where, and what to do. */
    public ProjectLockException(ProjectLockFailure failure, String message, @Nullable Throwable cause) {
        super(failure.code(), message, List.of(), cause);
        this.failure = failure;
    }

    ProjectLockException(ProjectLockFailure failure, String message) {
        this(failure, message, null);
    }

    /** What other code or a bug threw, as one of these. */
    static ProjectLockException of(Throwable e) {
        return e instanceof ProjectLockException known
                ? known
                : new ProjectLockException(ProjectLockFailure.FALLBACK_OPEN_FAILED, "Unexpected: " + e, e);
    }

    /** What went wrong, more closely than {@link #code()}. */
    public ProjectLockFailure failure() {
        return failure;
    }

    @Override
    public boolean retryable() {
        return failure.retryable();
    }
}
