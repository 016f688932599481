package dev.lockstep.cli.locks;

import dev.lockstep.cli.terminal.Table;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.Blocker;
import dev.lockstep.core.CallSite;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.WaitingLock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** A look as two tables for people. */
public final class LookText {
    private static final int LEASE_DIGITS = 8;
    private static final int MOST_BLOCKERS = 3;

    private final Look look;

    private LookText(Look look) {
        this.look = look;
    }

    /** The lines, no wider than the terminal. */
    public static List<String> lines(Look look, Terminal terminal) {
        return new LookText(look).lines(terminal);
    }

    private List<String> lines(Terminal terminal) {
        if (look.isEmpty()) {
            return List.of("Nobody holds a lock, and nobody waits.");
        }
        List<String> lines = new ArrayList<>();
        lines.add(count(look.held().size(), "lock is held", "locks are held"));
        if (!look.held().isEmpty()) {
            lines.addAll(held().lines(terminal));
        }
        lines.add("");
        lines.add(count(look.waiting().size(), "request waits", "requests wait"));
        if (!look.waiting().isEmpty()) {
            lines.addAll(waiting().lines(terminal));
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
        for (HeldLock lock : look.held()) {
            List<String> cells = new ArrayList<>(List.of(
                    lock.key().toString(),
                    lock.mode().symbol(),
                    printable(lock.owner()),
                    age(lock.since()),
                    lease(lock.leaseId())));
            if (sites) {
                cells.add(site(lock.callSite()));
            }
            table.add(cells.toArray(String[]::new));
        }
        return table;
    }

    private Table waiting() {
        Table table = new Table("KEY~", "MODE", "OWNER~", "FOR", "LEASE", "BEHIND~", "ASKED AT~");
        for (WaitingLock lock : look.waiting()) {
            table.add(
                    lock.key().toString(),
                    lock.mode().symbol(),
                    printable(lock.owner()),
                    age(lock.since()),
                    lease(lock.leaseId()),
                    blockers(lock.blockedBy()),
                    site(lock.callSite()));
        }
        return table;
    }

    private static String blockers(List<Blocker> blockers) {
        if (blockers.isEmpty()) {
            return "(not seen)";
        }
        String first = blockers.stream()
                .limit(MOST_BLOCKERS)
                .map(each -> printable(each.owner()) + " " + each.mode().symbol() + " " + lease(each.leaseId()))
                .collect(Collectors.joining(", "));
        return blockers.size() > MOST_BLOCKERS ? first + ", and " + (blockers.size() - MOST_BLOCKERS) + " more" : first;
    }

    private static String site(Optional<CallSite> site) {
        return site.map(LookText::line).orElse("");
    }

    private static String line(CallSite site) {
        StackTraceElement frame = site.frame();
        String type = frame.getClassName().replaceAll(".*\\.", "");
        return type + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }

    private static String lease(UUID id) {
        return id.toString().substring(0, LEASE_DIGITS);
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
