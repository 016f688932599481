package dev.lockstep.cli.provision;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.jdbc.ProvisioningProgress;
import java.time.Duration;

/** A line every few seconds, for pipes, files and terminals that can do no more. */
final class ProgressLines extends ProgressDisplay {
    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    private final Terminal terminal;
    private long next = System.nanoTime();

    ProgressLines(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    void show(ProvisioningProgress progress) {
        if (progress.rowsDone() < progress.rowsTotal()) { // the report shows the end
            say(progress.toString());
        }
    }

    @Override
    public void waiting(Duration waited) {
        say("Another run is under way in this database. Waiting for it, " + waited.toSeconds() + " s so far.");
    }

    private void say(String text) {
        if (System.nanoTime() - next >= 0) {
            next = System.nanoTime() + PAUSE;
            terminal.err().println(text);
        }
    }

    @Override
    public void close() {}
}
