package dev.lockstep.benchmarks;

/** Something on the command line can't be understood. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message + ". See ./lockstep bench --help");
    }
}
