package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.Load;
import dev.lockstep.benchmarks.measure.Population;
import dev.lockstep.benchmarks.measure.Rounds;
import dev.lockstep.benchmarks.measure.TextTable;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNode.InfoSection;

/**
 * {@code ./lockstep bench redis}: Lockstep and Redisson in turns on one fresh Redis, with what came out as tables.
 *
 * @param parts what is measured
 * @param fsync when the server writes to its disk
 * @param turn how long each turn is
 * @param rounds how many turns each contender has
 * @param processes how many want one key where fairness is measured
 * @param waiters the threads of each of them
 */
public record RedisRun(Set<RedisPart> parts, Fsync fsync, Duration turn, int rounds, int processes, int waiters) {
    private static final String SECONDS = "--seconds";
    private static final String ROUNDS = "--rounds";
    private static final String PROCESSES = "--processes";
    private static final String WAITERS = "--waiters";
    private static final int MOST_PROCESSES = 20;
    private static final int MOST_WAITERS = 50;

    /** Redis's own words for it. With {@code always} it is the disk that is measured. */
    public enum Fsync {
        EVERYSEC,
        ALWAYS;

        static Fsync named(List<String> names) {
            return names.contains(ALWAYS.toString()) ? ALWAYS : EVERYSEC;
        }

        static boolean isOne(String name) {
            return Stream.of(values()).anyMatch(fsync -> fsync.toString().equals(name));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static void run(List<String> args) throws Exception {
        parse(args).run(System.out);
    }

    public static RedisRun parse(List<String> args) {
        Map<String, Integer> defaults = new LinkedHashMap<>();
        defaults.put(SECONDS, 4);
        defaults.put(ROUNDS, 5);
        defaults.put(PROCESSES, 10);
        defaults.put(WAITERS, 10);
        BenchOptions options = BenchOptions.parse(args, defaults);
        return new RedisRun(
                RedisPart.named(options.names().stream()
                        .filter(name -> !Fsync.isOne(name))
                        .toList()),
                Fsync.named(options.names()),
                Duration.ofSeconds(options.number(SECONDS)),
                options.number(ROUNDS),
                atMost(MOST_PROCESSES, PROCESSES, options),
                atMost(MOST_WAITERS, WAITERS, options));
    }

    private static int atMost(int most, String flag, BenchOptions options) {
        if (options.number(flag) > most) {
            throw new UsageException(flag + " is at most " + most + ", and got " + options.number(flag));
        }
        return options.number(flag);
    }

    public List<Comparison> run(PrintStream out) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        try (PrivateServer server = TestServers.startRedis("--appendfsync", fsync.toString());
                RedisField field = RedisField.at(server.url())) {
            describe(field, out);
            if (parts.contains(RedisPart.TRIPS)) {
                out.println(commands(field) + "\n");
            }
            if (parts.contains(RedisPart.SPEED)) {
                comparisons.addAll(field.compare(new Rounds(field.all(), turn).run(rounds)));
                out.println(Comparison.table(comparisons) + "\n");
            }
            if (parts.contains(RedisPart.HANDOFF)) {
                comparisons.addAll(handOff(field, out));
            }
            if (parts.contains(RedisPart.FAIRNESS)) {
                out.println(fairness(server.url()) + "\n");
            }
        }
        return comparisons;
    }

    private void describe(RedisField field, PrintStream out) {
        RedisNode node = field.node();
        out.printf(
                "## Redis %s%n%n%s; JDK %s, %d processors%n",
                node.info(InfoSection.SERVER).get("redis_version"),
                Stream.of("appendonly", "appendfsync")
                        .map(setting ->
                                setting + " = " + node.getConfig(setting).get(setting))
                        .collect(Collectors.joining(", ")),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors());
        out.printf(
                "%d threads, random keys of %,d, lock and release; %d rounds in turns of %.1f s; medians, operations/s%n%n",
                Load.THREADS, Population.RESOURCES, rounds, turn.toMillis() / 1e3);
        field.configuration().forEach(line -> out.println("- " + line));
        out.println();
    }

    private static String commands(RedisField field) throws Exception {
        Map<Contender, CommandCount> counts = new LinkedHashMap<>();
        for (Contender contender : field.all()) {
            System.err.printf("  counting: %s%n", contender.name());
            counts.put(contender, CommandCount.of(contender, field.node()));
        }
        TextTable table = new TextTable(List.of("calls for each hold, counted by Redis", "scripts", "asked", ""));
        counts.forEach((contender, count) -> table.add(count.row(contender)));
        return table + "\n\nAll commands of a hold, those in scripts included:\n\n"
                + counts.entrySet().stream()
                        .map(each -> "- " + each.getKey().name() + ": " + each.getValue())
                        .collect(Collectors.joining("\n"));
    }

    private List<Comparison> handOff(RedisField field, PrintStream out) throws InterruptedException {
        HandOff handOff = field.handOff();
        List<Comparison> handOffs = handOff.run(turn, rounds);
        out.println(Comparison.table(handOffs) + "\n\n" + handOff.table() + "\n");
        return handOffs;
    }

    private String fairness(String url) throws Exception {
        System.err.printf("  starting %d processes with %d waiters each%n", processes, waiters);
        try (KeyCrowd crowd = KeyCrowd.start(url, processes, waiters)) {
            Fairness fairness = new Fairness(crowd, turn).run(rounds);
            return "One key, %d processes, %d waiters each, 1 ms inside:%n%n".formatted(processes, waiters)
                    + fairness.table();
        }
    }
}
