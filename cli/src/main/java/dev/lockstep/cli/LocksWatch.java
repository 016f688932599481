package dev.lockstep.cli;

import dev.lockstep.cli.locks.LockReport;
import dev.lockstep.cli.locks.LockReportJson;
import dev.lockstep.cli.locks.LockReportText;
import dev.lockstep.cli.locks.SnapshotSource;
import dev.lockstep.cli.terminal.Json;
import dev.lockstep.cli.terminal.Screen;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Finding;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Looks at the locks again and again until it is interrupted. A server that is unreachable for a while is waited for. */
final class LocksWatch {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Terminal terminal;
    private final String where;
    private final SnapshotSource sight;
    private final List<String> kinds;
    private final boolean json;
    private final List<Finding> blind;

    LocksWatch(
            Terminal terminal,
            String where,
            SnapshotSource sight,
            List<String> kinds,
            boolean json,
            List<Finding> blind) {
        this.terminal = terminal;
        this.where = where;
        this.sight = sight;
        this.kinds = kinds;
        this.json = json;
        this.blind = blind;
    }

    ExitCode run(Duration interval, LockReport first) {
        return terminal.interactive() && !json ? onScreen(interval, first) : appending(interval, first);
    }

    @SuppressWarnings("try") // the end is only kept in order
    private ExitCode onScreen(Duration interval, LockReport first) {
        try (Screen screen = new Screen(terminal);
                OrderlyEnd end = OrderlyEnd.within(PATIENCE, screen::close)) {
            screen.draw(page(first, interval));
            while (pause(interval)) {
                try {
                    screen.draw(page(next(), interval));
                } catch (LockException e) {
                    screen.draw(List.of(
                            heading(Instant.now(), interval), "", String.valueOf(e.getMessage()), "Trying again ..."));
                }
            }
            screen.close(); // before the process may end
            return ExitCode.INTERRUPTED;
        }
    }

    private LockReport next() {
        LockReport seen = sight.look();
        return (blind.isEmpty() ? seen : seen.incomplete()).ofKinds(kinds);
    }

    private List<String> page(LockReport look, Duration interval) {
        List<String> lines = new ArrayList<>(List.of(heading(look.at(), interval), ""));
        lines.addAll(LockReportText.lines(look, terminal));
        blind.forEach(finding -> {
            lines.add("");
            lines.addAll(LocksCommand.warning(finding, terminal));
        });
        return lines;
    }

    private String heading(Instant at, Duration interval) {
        String text = clock(at) + "  " + where + "  every " + interval.toMillis() / 1000.0 + " s, Ctrl-C ends";
        return terminal.faint(text.substring(0, Math.min(text.length(), terminal.columns())));
    }

    @SuppressWarnings("try")
    private ExitCode appending(Duration interval, LockReport first) {
        blind.forEach(
                finding -> LocksCommand.warning(finding, terminal.forErrors()).forEach(terminal.err()::println));
        try (OrderlyEnd end = OrderlyEnd.within(PATIENCE, () -> {})) {
            append(first);
            while (pause(interval)) {
                try {
                    append(next());
                } catch (LockException e) {
                    terminal.err().println(clock(Instant.now()) + " " + e.getMessage() + " Trying again.");
                }
            }
            return ExitCode.INTERRUPTED;
        }
    }

    private void append(LockReport look) {
        if (json) {
            terminal.out().println(Json.line(LockReportJson.of(look)));
        } else {
            terminal.out().println("---- " + look.at().truncatedTo(ChronoUnit.MILLIS));
            LockReportText.lines(look, terminal).forEach(terminal.out()::println);
        }
        terminal.out().flush();
    }

    private static String clock(Instant at) {
        return LocalTime.ofInstant(at, ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    /** Returns false when it was interrupted, or when the output is no longer read. */
    private boolean pause(Duration interval) {
        if (terminal.out().checkError()) {
            return false;
        }
        try {
            Thread.sleep(interval.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
