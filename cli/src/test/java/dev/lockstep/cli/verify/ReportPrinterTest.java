package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.testkit.Breach;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once")
@Timeout(300)
class ReportPrinterTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private ReportPrinter printer(boolean interactive) {
        return new ReportPrinter(new Terminal(
                new PrintWriter(out, true), new PrintWriter(err, true), interactive, interactive, true, 60));
    }

    private static Result result(TrialOutcome outcome) {
        Behaviour behaviour = new Behaviour("H4.1", "one thing, asked for twice", "the second waits", stage -> outcome);
        return new Result(behaviour, outcome, Duration.ofMillis(12));
    }

    @Test
    void aFailureSaysWhatWasExpectedAndSeenAndWhatItMeans() throws InterruptedException {
        Report report =
                Trials.run(Trials.with(Breach.FORGETS_GRANTS), Trials.IMPATIENT, BehaviourTable.only(List.of("H4.1")));
        ReportPrinter printer = printer(false);

        report.results().forEach(printer::ended);
        printer.summary(report);

        assertThat(out.toString().replaceAll(" +[0-9.]+ m?s\n", "\n").replaceAll("in [0-9.]+ m?s", "in 1 s"))
                .isEqualTo("""
                        ✗ H4.1    one resource, asked for twice
                                  expected: the second is refused or waits, and is
                                            granted after the release
                                  seen: exclusive[user:H4.1-u1/account:a1/resource:r1]
                                        was granted to one party while another held
                                        [user:H4.1-u1/account:a1/resource:r1]
                                  means: Two hold at once what only one may have:
                                         these locks don't exclude, and whatever
                                         relies on them can be written by two at a
                                         time. Don't use this store for locks before
                                         that is understood.

                        1 behaviours in 1 s: 0 as they should be, 0 doubtful, 1
                        failed, 0 not tried, 0 not applicable.
                        Locks there do not behave as they should.
                        """);
    }

    @Test
    void aDoubtSaysWhatToDo() {
        printer(false).ended(result(new TrialOutcome.Doubtful("half of it", "Grant the rest.")));

        assertThat(out).asString().startsWith("! H4.1").contains("seen: half of it\n", "do: Grant the rest.\n");
    }

    @Test
    void whatWasNotTriedSaysWhy() {
        printer(false).ended(result(new TrialOutcome.Skipped("no time was left")));

        assertThat(out).asString().startsWith("– H4.1").contains("not tried: no time was left\n");
    }

    @Test
    void whatDoesNotApplySaysWhyAndIsNotMissing() {
        Result inapplicable = result(new TrialOutcome.Inapplicable("there is only one mode"));
        Report report = new Report(List.of(inapplicable), Duration.ofSeconds(1), false);
        ReportPrinter printer = printer(false);

        printer.ended(inapplicable);
        printer.summary(report);

        assertThat(report.isProof()).isTrue();
        assertThat(out)
                .asString()
                .startsWith("· H4.1")
                .contains("does not apply: there is only one mode\n", "0 not tried, 1 not applicable.\n");
        assertThat(ReportJson.of("memory", report).outcomes())
                .containsEntry("inapplicable", 1L)
                .containsEntry("passed", 0L);
        assertThat(ReportJson.of("memory", report).behaviours().get(0).seen()).isEqualTo("there is only one mode");
    }

    @Test
    void aWholeTableIsAProofOfAStoreAndOfAPair() {
        for (List<Behaviour> whole : List.of(BehaviourTable.all(), BehaviourTable.onlyOfPair(List.of()))) {
            assertThat(verdict(whole)).contains("Locks there behave as they should.");
            assertThat(verdict(whole.subList(1, whole.size()))).contains("There is more to try: leave --only out.");
        }
    }

    private String verdict(List<Behaviour> tried) {
        out.getBuffer().setLength(0);
        printer(false)
                .summary(new Report(
                        tried.stream()
                                .map(each -> new Result(each, new TrialOutcome.Passed("fine"), Duration.ZERO))
                                .toList(),
                        Duration.ofSeconds(1),
                        false));
        return out.toString().replaceAll("\\s+", " ");
    }

    @Test
    void theRunningOneIsShownOnATerminalOnly() {
        Behaviour behaviour = result(new TrialOutcome.Passed("fine")).behaviour();
        printer(false).running(behaviour, "3 of 7");
        assertThat(out).asString().isEmpty();

        printer(true).running(behaviour, "3 of 7");
        assertThat(out).asString().contains("\r", "H4.1 one thing, asked for twice: 3 of 7");
    }
}
