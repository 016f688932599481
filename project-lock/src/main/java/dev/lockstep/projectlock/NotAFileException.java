package dev.lockstep.projectlock;

import java.io.IOException;

/** Something else is where a lease file should be: a directory, say, or a link. */
public final class NotAFileException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Names the place. */
    public NotAFileException(String message) {
        super(message);
    }
}
