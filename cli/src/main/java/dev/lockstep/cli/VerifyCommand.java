package dev.lockstep.cli;

import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Json;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.cli.verify.Behaviour;
import dev.lockstep.cli.verify.BehaviourTable;
import dev.lockstep.cli.verify.Pace;
import dev.lockstep.cli.verify.Progress;
import dev.lockstep.cli.verify.Report;
import dev.lockstep.cli.verify.ReportJson;
import dev.lockstep.cli.verify.ReportPrinter;
import dev.lockstep.cli.verify.TrialRun;
import dev.lockstep.core.InvalidRequestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep verify}: proves on the user's own server that locks behave as they should. */
@Command(
        name = "verify",
        description = {
            "Proves, by trying it, that locks on your own database, Redis or etcd behave as they should.",
            "It works in a scratch place that can't conflict with your locks and is removed at the end: a database on MySQL and"
                    + " MariaDB, a namespace on PostgreSQL and Redis. It takes about half a minute."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  lockstep verify --store jdbc:mysql://localhost/app --user app --password",
            "  lockstep verify --store redis://localhost:6379 --only H4,H5 --json",
            "  lockstep verify --store redis://localhost:6379 --fallback jdbc:postgresql://localhost/app --fallback-user app",
            "  lockstep verify --list"
        })
final class VerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private FallbackMixin fallback = new FallbackMixin();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ID",
            description = "Try only these behaviours; H4 means all whose id begins with H4.")
    private List<String> only = new ArrayList<>();

    @Option(names = "--list", description = "List the behaviours and what is expected of them; try nothing.")
    private boolean list;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description =
                    "How long the whole trial may take; what is left then is not tried. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(
            names = "--term",
            paramLabel = "SECONDS",
            defaultValue = "1.5",
            description =
                    "How long leases last that are to expire, between 1 and 20. A longer one suits a machine or a network"
                            + " that stalls, and makes the trial longer. Default: ${DEFAULT-VALUE}.")
    private double term;

    VerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        List<Behaviour> behaviours = fallback.isGiven() ? BehaviourTable.onlyOfPair(only) : BehaviourTable.only(only);
        if (list) {
            print(behaviours);
            return ExitCode.OK.number();
        }
        if (limit < 1) {
            throw new InvalidRequestException(
                    "--limit " + limit + " leaves no time. Give a number of seconds, such as 300.");
        }
        if (!(term >= 1 && term <= 20)) {
            throw new InvalidRequestException(
                    "--term must be between 1 and 20 seconds, but was " + term + ". Nothing was tried.");
        }
        try (StoreAddress address = fallback.with(store.address(), spec)) {
            return exitCode(verify(address, behaviours)).number();
        }
    }

    private void print(List<Behaviour> behaviours) {
        if (json) {
            terminal.out().println(Json.of(behaviours.stream().map(Listed::of).toList()));
        } else {
            behaviours.forEach(each -> {
                terminal.out().println(terminal.bold(each.id()) + "  " + each.title());
                terminal.out().println("    " + each.expected());
            });
        }
    }

    /** A behaviour as {@code --list --json} shows it. */
    record Listed(String id, String title, String expected) {
        static Listed of(Behaviour behaviour) {
            return new Listed(behaviour.id(), behaviour.title(), behaviour.expected());
        }
    }

    private Report verify(StoreAddress address, List<Behaviour> behaviours) throws Exception {
        Pace pace = Pace.USUAL.within(Duration.ofSeconds(limit)).term(Duration.ofMillis(Math.round(term * 1000)));
        if (json) {
            Report report = TrialRun.of(address, behaviours, pace, new Remarks(terminal));
            terminal.out().println(Json.of(ReportJson.of(address.toString(), report)));
            return report;
        }
        ReportPrinter printer = new ReportPrinter(terminal);
        Report report = TrialRun.of(address, behaviours, pace, printer);
        printer.summary(report);
        return report;
    }

    /** With {@code --json} there is one answer at the end; what else is worth knowing goes beside it. */
    private record Remarks(Terminal terminal) implements Progress {
        @Override
        public void remark(String text) {
            terminal.err().println(text);
        }
    }

    private static ExitCode exitCode(Report report) {
        if (report.unreachable()) {
            return ExitCode.UNREACHABLE;
        }
        return report.isProof() ? ExitCode.OK : ExitCode.NOT_AS_IT_SHOULD;
    }
}
