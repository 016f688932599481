package dev.lockstep.cli.provision;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.jdbc.ProvisioningListener;
import dev.lockstep.jdbc.ProvisioningProgress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Shows how provisioning gets on. */
public abstract sealed class ProgressDisplay implements ProvisioningListener, AutoCloseable
        permits ProgressBarDisplay, ProgressLines {
    private final AtomicReference<@Nullable ProvisioningProgress> last = new AtomicReference<>();

    /** A bar where a person looks, else a line every few seconds. */
    public static ProgressDisplay on(Terminal terminal) {
        return terminal.errInteractive() ? new ProgressBarDisplay(terminal) : new ProgressLines(terminal);
    }

    @Override
    public final void progress(ProvisioningProgress progress) {
        last.set(progress);
        show(progress);
    }

    abstract void show(ProvisioningProgress progress);

    /** How far it got; empty before the first rows. */
    public final Optional<ProvisioningProgress> last() {
        return Optional.ofNullable(last.get());
    }

    /** Leaves the display; what is printed next begins on its own line. */
    @Override
    public abstract void close();
}
