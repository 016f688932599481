package dev.lockstep.benchmarks.measure;

/** Something on the command line can't be understood. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message + ". See ./lockstep bench --help");
    }
}
