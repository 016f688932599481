package dev.lockstep.benchmarks.server;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.ShopServer;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code ./lockstep bench server}: the HTTP server under load from this machine.
 *
 * @param connections that ask again as soon as they are answered
 * @param warmUp how long the server is used before the first turn
 * @param turn how long each turn is
 * @param rounds how many turns each kind of request has, and how often the server is started
 */
public record ServerRun(Set<ServerPart> parts, int connections, Duration warmUp, Duration turn, int rounds) {
    private static final String CONNECTIONS = "--connections";
    private static final String WARM_UP = "--warmup";
    private static final String SECONDS = "--seconds";
    private static final String ROUNDS = "--rounds";
    private static final int MOST_CONNECTIONS = 2_000;

    public static void run(List<String> args) throws Exception {
        parse(args).run(System.out);
    }

    public static ServerRun parse(List<String> args) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        numbers.put(CONNECTIONS, 128);
        numbers.put(WARM_UP, 240);
        numbers.put(SECONDS, 4);
        numbers.put(ROUNDS, 5);
        BenchOptions options = BenchOptions.parse(args, numbers);
        if (options.number(CONNECTIONS) > MOST_CONNECTIONS) {
            throw new UsageException(
                    CONNECTIONS + " is at most " + MOST_CONNECTIONS + ", and got " + options.number(CONNECTIONS));
        }
        return new ServerRun(
                ServerPart.named(options.names()),
                options.number(CONNECTIONS),
                Duration.ofSeconds(options.number(WARM_UP)),
                Duration.ofSeconds(options.number(SECONDS)),
                options.number(ROUNDS));
    }

    public void run(PrintStream out) throws Exception {
        out.printf(
                "JDK %s, %d processors, %d connections, medians of %d rounds of %d s%n%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), connections, rounds, turn.toSeconds());
        if (parts.contains(ServerPart.START)) {
            starts(out);
        }
        if (parts.contains(ServerPart.LOCKS) || parts.contains(ServerPart.STOCK)) {
            underLoad(out);
        }
    }

    /** As {@code ./lockstep serve} starts it: locks in memory, stock in H2. */
    private void starts(PrintStream out) throws Exception {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            try (ServerProcess server = ServerProcess.start(Map.of())) {
                seconds.add(server.startUp().toMillis() / 1e3);
            }
        }
        Series starts = new Series(seconds);
        out.printf(
                "start-up to the first answer: %s s, from %s to %s; asked: < 5%n%n",
                Comparison.number("%.1f", starts.median()),
                Comparison.number("%.1f", starts.min()),
                Comparison.number("%.1f", starts.max()));
    }

    private void underLoad(PrintStream out) throws Exception {
        String[] durable = ShopServer.POSTGRESQL.options().toArray(String[]::new);
        try (PrivateServer database = TestServers.start(ServerKind.POSTGRES, durable);
                ServerProcess server = ServerProcess.start(Map.of(
                        "spring.datasource.url", database.jdbcUrl(),
                        "spring.datasource.username", database.user(),
                        "spring.datasource.password", database.password()))) {
            HttpLoad.ask(server.address(), HttpVisits.fillShelf()).require(201);
            new LoadRounds(this, new HttpLoad(server, connections)).run(out);
        }
    }
}
