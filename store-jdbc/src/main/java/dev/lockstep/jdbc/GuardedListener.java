package dev.lockstep.jdbc;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose errors don't stop the provisioning; the first one is logged. */
final class GuardedListener implements ProvisioningListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    private final ProvisioningListener listener;
    private boolean failed;

    GuardedListener(ProvisioningListener listener) {
        this.listener = listener;
    }

    @Override
    public void progress(ProvisioningProgress progress) {
        guard(() -> listener.progress(progress));
    }

    @Override
    public void waiting(Duration waited) {
        guard(() -> listener.waiting(waited));
    }

    private void guard(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            if (!failed) {
                LOG.warn("The listener of provisioning failed: {}", e.toString());
                LOG.debug("The listener of provisioning failed", e);
            }
            failed = true;
        }
    }
}
