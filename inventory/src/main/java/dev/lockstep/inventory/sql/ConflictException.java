package dev.lockstep.inventory.sql;

/** Another transaction changed what this one had read; nothing of it was done. */
public final class ConflictException extends Exception {
    private static final long serialVersionUID = 1L;

    public ConflictException(String message, Throwable cause) {
        super(message, cause);
    }

    public ConflictException(String message) {
        super(message, null, false, false);
    }
}
