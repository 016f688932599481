package dev.lockstep.projectlock;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The platform's lock can't be used here at all; not thrown because another holds it. */
public final class PlatformLockUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public PlatformLockUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
