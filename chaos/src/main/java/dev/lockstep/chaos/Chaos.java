package dev.lockstep.chaos;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code ./lockstep chaos} runs. */
@Command(
        name = "lockstep chaos",
        description =
                "Three processes lock while servers, lines, processes and clocks fail; a checker reads what they saw.",
        mixinStandardHelpOptions = true,
        subcommands = ChaosCheck.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing was wrong", "1:something was, and is shown", "2:the command line is wrong"})
public final class Chaos implements Callable<Integer> {
    private static final int MOST_MINUTES = 100; // processes live for two hours at most

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--store",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Stores to run on, one after the other; all by default. Known: mysql, mariadb, postgresql, redis, redis-cluster, all,"
                            + " and pairs of Redis and a database: fallback-mysql-stop, fallback-mysql-keep-fenced, fallback-postgresql-stop,"
                            + " fallback-postgresql-keep-fenced.")
    private List<String> stores = List.of("all");

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long faults last, on each store (${DEFAULT-VALUE}).",
            defaultValue = "1")
    private int minutes = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Who is hit by what, when and for how long; a new one by default.")
    private long seed = System.nanoTime() % 1_000_000;

    @Option(
            names = "--histories",
            paramLabel = "DIR",
            description = "Where the histories are kept; a temporary directory by default.")
    private Path histories = Path.of("");

    private Chaos() {}

    public static void main(String[] args) {
        System.setProperty("lockstep.scale", "long"); // processes of a test live for five minutes otherwise
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.exit(run(args));
    }

    static int run(String... args) {
        return new CommandLine(new Chaos()).execute(args);
    }

    @Override
    public Integer call() throws IOException, SQLException {
        if (minutes < 1 || minutes > MOST_MINUTES) {
            throw new ParameterException(spec.commandLine(), "--minutes takes a number from 1 to " + MOST_MINUTES);
        }
        List<Setup> setups = setups();
        Path directory = histories.toString().isEmpty()
                ? Files.createTempDirectory("lockstep-chaos-")
                : Files.createDirectories(histories);
        List<String> dirty = new ArrayList<>();
        for (Setup setup : setups) {
            if (!run(setup, Files.createDirectory(directory.resolve(setup.title())))
                    .isClean()) {
                dirty.add(setup.title());
            }
        }
        System.out.println(dirty.isEmpty() ? "No violation." : "VIOLATIONS on " + dirty);
        System.out.println("Histories: " + directory);
        return dirty.isEmpty() ? 0 : 1;
    }

    private ChaosReport run(Setup setup, Path directory) throws SQLException {
        System.out.println(setup.title() + ": " + minutes + " min, --seed " + seed);
        long start = System.nanoTime();
        ChaosReport report = new ChaosRun(
                        setup,
                        ChaosRun.PROCESSES,
                        Duration.ofMinutes(minutes),
                        seed,
                        directory,
                        text -> show(setup, start, text))
                .run();
        System.out.println(setup.title() + ":\n" + report);
        return report;
    }

    private static void show(Setup setup, long start, String text) {
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        System.err.printf("  %s %02d:%02d %s%n", setup.title(), seconds / 60, seconds % 60, text);
    }

    private List<Setup> setups() {
        return stores.stream().flatMap(this::setups).distinct().toList();
    }

    private Stream<Setup> setups(String name) {
        if ("all".equals(name)) {
            return Stream.of(Setup.values());
        }
        return Stream.of(Setup.titled(name).orElseThrow(() -> {
            String known = Stream.of(Setup.values()).map(Setup::title).collect(Collectors.joining(", "));
            return new ParameterException(
                    spec.commandLine(), "unknown store '" + name + "'. Known: " + known + ", all");
        }));
    }
}
