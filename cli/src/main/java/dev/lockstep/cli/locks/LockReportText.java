package dev.lockstep.cli.locks;

import dev.lockstep.cli.terminal.Table;
import dev.lockstep.cli.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A look as two tables for people. */
public final class LockReportText {
    private static final int LEASE_DIGITS = 8;
    private static final int MOST_BLOCKERS = 3;
    /** A line of a stack trace: its type, method and line. */
    private static final Pattern FRAME = Pattern.compile("(?:[^(]*[./])?([^./(]+\\.[^./(]+)\\([^:)]*:(\\d+)\\)");

    private final LockReport look;

    private LockReportText(LockReport look) {
        this.look = look;
    }

    /** The lines, no wider than the terminal. */
    public static List<String> lines(LockReport look, Terminal terminal) {
        return new LockReportText(look).lines(terminal);
    }

    private List<String> lines(Terminal terminal) {
        List<String> lines = new ArrayList<>();
        look.pair().map(PairText::line).ifPresent(lines::add);
        if (look.isEmpty()) {
            lines.add(
                    look.complete()
                            ? "No lock is held, and no request waits."
                            : "No lock can be seen here. Whether other processes hold some is not known.");
            return lines;
        }
        lines.add(count(look.held().size(), "lock is held", "locks are held"));
        if (!look.held().isEmpty()) {
            lines.addAll(held().lines(terminal));
        }
        lines.add("");
        lines.add(count(look.waiting().size(), "request waits", "requests wait"));
        if (!look.waiting().isEmpty()) {
            lines.addAll(waiting().lines(terminal));
        }
        if (look.notShown() > 0) {
            lines.add("");
            lines.add(String.format(Locale.ROOT, "The server has %,d more, which are younger.", look.notShown()));
        }
        return lines;
    }

    private static String count(int number, String one, String more) {
        return number == 0
                ? "No " + one + "."
                : String.format(Locale.ROOT, "%,d %s:", number, number == 1 ? one : more);
    }

    private Table held() {
        boolean sites = look.held().stream().anyMatch(lock -> lock.callSite().isPresent());
        Table table = sites
                ? new Table("KEY~", "MODE", "OWNER~", "FOR", "LEASE", "ASKED AT~")
                : new Table("KEY~", "MODE", "OWNER~", "FOR", "LEASE");
        for (LockReport.Held lock : look.held()) {
            List<String> cells = new ArrayList<>(List.of(
                    lock.key(), lock.mode(), printable(lock.owner()), age(lock.since()), lease(lock.leaseName())));
            if (sites) {
                cells.add(site(lock.callSite()));
            }
            table.add(cells.toArray(String[]::new));
        }
        return table;
    }

    private Table waiting() {
        Table table = new Table("KEY~", "MODE", "OWNER~", "FOR", "LEASE", "BEHIND~", "ASKED AT~");
        for (LockReport.Waiting lock : look.waiting()) {
            table.add(
                    lock.key(),
                    lock.mode(),
                    printable(lock.owner()),
                    age(lock.since()),
                    lease(lock.leaseName()),
                    blockers(lock.behind()),
                    site(lock.callSite()));
        }
        return table;
    }

    private static String blockers(List<LockReport.Behind> blockers) {
        if (blockers.isEmpty()) {
            return "(not seen)";
        }
        String first = blockers.stream()
                .limit(MOST_BLOCKERS)
                .map(each -> printable(each.owner()) + " " + each.mode() + " " + lease(each.leaseName()))
                .collect(Collectors.joining(", "));
        return blockers.size() > MOST_BLOCKERS ? first + ", and " + (blockers.size() - MOST_BLOCKERS) + " more" : first;
    }

    private static String site(Optional<String> site) {
        return site.map(LockReportText::line).orElse("");
    }

    private static String line(String site) {
        Matcher frame = FRAME.matcher(site);
        return printable(frame.matches() ? frame.group(1) + ":" + frame.group(2) : site);
    }

    /** Its last digits: the first ones are the same for all leases of a process. */
    private static String lease(String name) {
        return printable(name.substring(Math.max(0, name.length() - LEASE_DIGITS)));
    }

    /** Who asks names itself, so it could name itself with what a terminal takes for a command. */
    private static String printable(String owner) {
        return owner.replaceAll("\\p{Cntrl}", "?");
    }

    /** {@code 0.4 s}, {@code 12 s}, {@code 3 min 5 s} or {@code 2 h 14 min}; clocks of two machines may differ a little. */
    private String age(Instant since) {
        Duration age = Duration.between(since, look.at());
        if (age.isNegative()) {
            return "0.0 s";
        }
        if (age.toSeconds() < 10) {
            return String.format(Locale.ROOT, "%.1f s", age.toMillis() / 1000.0);
        }
        if (age.toMinutes() == 0) {
            return age.toSeconds() + " s";
        }
        return age.toHours() == 0
                ? age.toMinutes() + " min " + age.toSecondsPart() + " s"
                : age.toHours() + " h " + age.toMinutesPart() + " min";
    }
}
