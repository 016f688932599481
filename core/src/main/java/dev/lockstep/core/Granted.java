package dev.lockstep.core;

/** The locks were acquired. Closing it closes the lease. */
public record Granted(Lease lease) implements Attempt, AutoCloseable {
    @Override
    public void close() {
        lease.close();
    }
}
