package dev.lockstep.benchmarks.databases;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.LockServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code ./lockstep bench databases}: the servers one after the other. */
public final class DatabaseRuns {
    private static final String SECONDS = "--seconds";
    private static final String ROUNDS = "--rounds";

    private DatabaseRuns() {}

    public static void run(List<String> args) throws Exception {
        Map<String, Integer> defaults = new LinkedHashMap<>();
        defaults.put(SECONDS, 4);
        defaults.put(ROUNDS, 5);
        BenchOptions options = BenchOptions.parse(args, defaults);
        List<LockServer> servers = options.names().isEmpty()
                ? List.of(LockServer.values())
                : options.names().stream().map(LockServer::named).toList();
        for (LockServer server : servers) {
            Duration turn = Duration.ofSeconds(options.number(SECONDS));
            new DatabaseRun(server, turn, options.number(ROUNDS), System.out).run();
        }
    }
}
