package dev.lockstep.cli.verify;

import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Paragraph;
import dev.lockstep.cli.terminal.Terminal;
import java.util.Locale;

/** The report for people: a row when it is done, on a terminal also the one that is running, and a summary. */
public final class ReportPrinter implements Progress {
    private static final int ID_WIDTH = 7;
    private static final int TIME_WIDTH = 10;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Terminal terminal;
    private final int indent;

    /** Prints on this terminal. */
    public ReportPrinter(Terminal terminal) {
        this.terminal = terminal;
        indent = (terminal.unicode() ? 1 : Mark.WIDEST_ASCII) + 1 + ID_WIDTH + 1;
    }

    @Override
    public synchronized void opened(String where) {
        wrapped("Tried in " + where + ". Nothing of it stays.");
        terminal.out().println();
    }

    @Override
    public synchronized void running(Behaviour behaviour, String soFar) {
        if (terminal.interactive() && terminal.colours()) {
            String line = behaviour.id() + " " + behaviour.title() + (soFar.isEmpty() ? "" : ": " + soFar);
            int most = terminal.columns() - 1;
            terminal.out().print(CLEAR_LINE + terminal.faint(line.length() > most ? line.substring(0, most) : line));
            terminal.out().flush();
        }
    }

    @Override
    public synchronized void ended(Result result) {
        clearLine();
        row(result);
        TrialOutcome outcome = result.outcome();
        if (outcome instanceof TrialOutcome.Passed passed) {
            details("", passed.seen(), true);
        } else if (outcome instanceof TrialOutcome.Doubtful doubtful) {
            details("seen: ", doubtful.seen(), false);
            details("do: ", doubtful.advice(), false);
        } else if (outcome instanceof TrialOutcome.Failed failed) {
            details("expected: ", failed.expected(), false);
            details("seen: ", failed.seen(), false);
            details("means: ", failed.meaning(), false);
        } else if (outcome instanceof TrialOutcome.Skipped skipped) {
            details("not tried: ", skipped.reason(), false);
        } else if (outcome instanceof TrialOutcome.Inapplicable inapplicable) {
            details("does not apply: ", inapplicable.reason(), false);
        }
        terminal.out().flush();
    }

    private void clearLine() {
        if (terminal.interactive() && terminal.colours()) {
            terminal.out().print(CLEAR_LINE);
        }
    }

    private void row(Result result) {
        Mark mark = mark(result.outcome());
        String id = String.format(
                Locale.ROOT, "%-" + ID_WIDTH + "s", result.behaviour().id());
        String time = String.format(Locale.ROOT, "%" + TIME_WIDTH + "s", Figures.of(result.took()));
        int width = terminal.columns() - indent - TIME_WIDTH;
        boolean first = true;
        for (String line : Paragraph.lines(result.behaviour().title(), width)) {
            terminal.out()
                    .println(
                            first
                                    ? terminal.column(mark) + " " + terminal.bold(id) + " " + padded(line, width)
                                            + terminal.faint(time)
                                    : " ".repeat(indent) + line);
            first = false;
        }
    }

    private static String padded(String line, int width) {
        return line + " ".repeat(Math.max(0, width - line.length()));
    }

    private void details(String label, String text, boolean faint) {
        int width = terminal.columns() - indent - label.length();
        String lead = label;
        for (String line : Paragraph.lines(text, width)) {
            terminal.out().println(" ".repeat(indent) + lead + (faint ? terminal.faint(line) : line));
            lead = " ".repeat(label.length());
        }
    }

    private static Mark mark(TrialOutcome outcome) {
        if (outcome instanceof TrialOutcome.Passed) {
            return Mark.GOOD;
        }
        if (outcome instanceof TrialOutcome.Doubtful) {
            return Mark.DOUBTFUL;
        }
        if (outcome instanceof TrialOutcome.Inapplicable) {
            return Mark.INAPPLICABLE;
        }
        return outcome instanceof TrialOutcome.Failed ? Mark.BAD : Mark.SKIPPED;
    }

    @Override
    public synchronized void remark(String text) {
        clearLine();
        terminal.out().flush();
        terminal.err().println(text);
    }

    /** The last lines. */
    public synchronized void summary(Report report) {
        terminal.out().println();
        wrapped(report.results().size() + " behaviours in " + Figures.of(report.took()) + ": "
                + report.count(TrialOutcome.Passed.class) + " as they should be, "
                + report.count(TrialOutcome.Doubtful.class) + " doubtful, "
                + report.count(TrialOutcome.Failed.class) + " failed, "
                + report.count(TrialOutcome.Skipped.class) + " not tried, "
                + report.count(TrialOutcome.Inapplicable.class) + " not applicable.");
        terminal.out().println(terminal.bold(verdict(report)));
    }

    private void wrapped(String text) {
        Paragraph.lines(text, terminal.columns()).forEach(terminal.out()::println);
    }

    private static String verdict(Report report) {
        if (report.count(TrialOutcome.Failed.class) > 0) {
            return "Locks there do not behave as they should.";
        }
        if (!report.isProof()) {
            return "Not proven: not everything was tried.";
        }
        return BehaviourTable.isWhole(
                        report.results().stream().map(Result::behaviour).toList())
                ? "Locks there behave as they should."
                : "What was tried is as it should be. There is more to try: leave --only out.";
    }
}
