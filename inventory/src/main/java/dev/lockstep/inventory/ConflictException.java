package dev.lockstep.inventory;

/** Another transaction changed what this one had read; nothing of it was done. */
final class ConflictException extends Exception {
    private static final long serialVersionUID = 1L;

    ConflictException(String message, Throwable cause) {
        super(message, cause);
    }

    ConflictException(String message) {
        super(message, null, false, false);
    }
}
