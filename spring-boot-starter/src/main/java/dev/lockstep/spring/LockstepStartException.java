package dev.lockstep.spring;

import dev.lockstep.core.ErrorCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why an application can't start with its locks, and what to change. Spring Boot prints both instead of a stack trace. */
public final class LockstepStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;
    private final @Nullable ErrorCode storeFault;

    /** What is wrong, and what to write instead. */
    public LockstepStartException(String description, String action) {
        this(description, action, null);
    }

    /** What is wrong because of something else, and what to do. */
    public LockstepStartException(String description, String action, @Nullable Throwable cause) {
        this(description, action, null, cause);
    }

    /** What is wrong with the store rather than with the settings, and what to do. */
    public LockstepStartException(
            String description, String action, @Nullable ErrorCode storeFault, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
        this.storeFault = storeFault;
    }

    /** What the store, or its doctor, reported; empty where the settings are wrong. */
    public Optional<ErrorCode> storeFault() {
        return Optional.ofNullable(storeFault);
    }

    /** What is wrong, and where. */
    public String description() {
        return description;
    }

    /** What to do. */
    public String action() {
        return action;
    }
}
