package dev.lockstep.cli.provision;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.jdbc.ProvisioningProgress;
import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on a terminal, with rows, rate and the time that is left. */
final class ProgressBarDisplay extends ProgressDisplay {
    private static final int REFRESH_MILLIS = 250;

    private final Terminal terminal;
    private final TerminalLine line;
    private @Nullable ProgressBar bar;

    ProgressBarDisplay(Terminal terminal) {
        this.terminal = terminal;
        line = new TerminalLine(terminal);
    }

    @Override
    void show(ProvisioningProgress progress) {
        ProgressBar shown = bar;
        if (shown == null) {
            shown = open(progress.rowsTotal());
            bar = shown;
        }
        shown.setExtraMessage(" " + rateAndRest(progress));
        shown.stepTo(progress.rowsDone());
    }

    private ProgressBar open(long rows) {
        return new ProgressBarBuilder()
                .setTaskName("rows")
                .setInitialMax(rows)
                .setStyle(terminal.unicode() ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .hideEta() // its own guess counts the rows that were there before
                .setConsumer(line)
                .build();
    }

    /** {@code 210,000 rows/s, 9 s left}. */
    private static String rateAndRest(ProvisioningProgress progress) {
        return progress.toString().replaceFirst(".*\\), ", "");
    }

    @Override
    public void waiting(Duration waited) {
        line.accept("Another run is under way in this database. Waiting for it, " + waited.toSeconds() + " s so far.");
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.refresh();
            bar.close();
            bar = null;
        }
        line.close(); // the bar closes it too, but on its own thread, later
    }
}
