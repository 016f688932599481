package dev.lockstep.cli;

import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Json;
import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep doctor}: whether locks on a server can be relied on, and what to do where they can't. */
@Command(
        name = "doctor",
        description =
                "Says whether locks on a server can be relied on, and what to do where they can't. It changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  lockstep doctor --store jdbc:postgresql://localhost/app --user app --password",
            "  lockstep doctor --store redis://localhost:6379 --namespace orders --json",
            "  lockstep doctor --store redis://localhost:6379 --fallback jdbc:postgresql://localhost/app --fallback-user app"
        })
final class DoctorCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private FallbackMixin fallback = new FallbackMixin();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Diagnosis diagnosis;
        try (StoreAddress address = fallback.with(store.address(), spec)) {
            diagnosis = address.examine();
        }
        if (json) {
            terminal.out().println(Json.of(diagnosis.findings()));
        } else {
            diagnosis.findings().forEach(this::print);
            terminal.out().println();
            terminal.out().println(verdict(diagnosis));
        }
        return (diagnosis.isHealthy() ? ExitCode.OK : ExitCode.NOT_AS_IT_SHOULD).number();
    }

    private void print(Finding finding) {
        terminal.entry(mark(finding), finding.what(), finding.whatToDo());
    }

    private static Mark mark(Finding finding) {
        return switch (finding.severity()) {
            case OK -> Mark.GOOD;
            case WARNING -> Mark.DOUBTFUL;
            case ERROR -> Mark.BAD;
        };
    }

    private static String verdict(Diagnosis diagnosis) {
        if (!diagnosis.isHealthy()) {
            return "Locks there can't be relied on before this is changed.";
        }
        return diagnosis.warnings().isEmpty()
                ? "Locks there can be relied on."
                : "Locks there can be relied on. Look at the warnings.";
    }
}
