package dev.lockstep.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./lockstep chaos check DIR}: judges the histories of an earlier run again. */
@Command(
        name = "check",
        description = "Judges the histories of an earlier run again, with the rules of today.",
        mixinStandardHelpOptions = true)
final class ChaosCheck implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIR",
            description = "The histories of a run: of one store, or one directory for each store.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        List<Path> runs = runs();
        if (runs.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no history of a run is in '" + directory
                            + "'. Give the directory that a run printed as 'Histories:'.");
        }
        boolean clean = true;
        for (Path run : runs) {
            clean &= check(run);
        }
        System.out.println(clean ? "No violation." : "VIOLATIONS, see above");
        return clean ? 0 : 1;
    }

    private boolean check(Path run) {
        Records records = Records.in(run);
        Setup setup = records.setup()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "the history in '" + run + "' names no store that is known here"));
        ChaosReport report = ChaosReport.of(records, setup.promise());
        System.out.println(setup.title() + ":\n" + report);
        return report.isClean();
    }

    /** The directory itself, or those in it. */
    private List<Path> runs() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(directory)) {
            return Stream.concat(
                            Stream.of(directory),
                            inside.filter(Files::isDirectory).sorted())
                    .filter(each -> Files.exists(each.resolve(Records.CONDUCTOR + History.SUFFIX)))
                    .toList();
        }
    }
}
