package dev.lockstep.jdbc;

import java.time.Duration;

/** Hears how provisioning gets on. It is called on the thread that provisions; what it throws is logged. */
@FunctionalInterface
public interface ProvisioningListener {
    /** Some more rows are committed. */
    void progress(ProvisioningProgress progress);

    /** Another run is under way in this database and has been waited for this long. Called every second or so. */
    default void waiting(Duration waited) {}
}
