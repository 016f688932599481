package dev.lockstep.benchmarks.databases;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.Load;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.RoundTrips;
import dev.lockstep.benchmarks.measure.Rounds;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.TextTable;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Lockstep and its peers in turns on one server, with what came out as tables. */
final class DatabaseRun {
    private static final Duration FAR = Duration.ofMillis(1);

    private final LockServer server;
    private final Duration turn;
    private final int rounds;
    private final PrintStream out;

    DatabaseRun(LockServer server, Duration turn, int rounds, PrintStream out) {
        this.server = server;
        this.turn = turn;
        this.rounds = rounds;
        this.out = out;
    }

    List<Comparison> run() throws Exception {
        TestServer where = TestServers.shared(server.kind());
        try (TestDatabase database = where.freshDatabase();
                TcpProxy proxy = TcpProxy.to(where);
                Field near = Field.near(server, database);
                Field far = Field.far(server, database, database.jdbcUrl(proxy))) {
            describe(database, near);
            String trips = roundTrips(proxy, far);
            Rounds nearby = new Rounds(near.all(), turn).run(rounds);
            proxy.delay(FAR);
            Rounds farAway = new Rounds(far.all(), turn).run(rounds);
            proxy.delay(Duration.ZERO);
            List<Comparison> comparisons = compare(near, nearby, far, farAway);
            out.println(Comparison.table(comparisons) + "\n");
            out.println(details(nearby, "") + "\n");
            out.println(details(farAway, ", " + FAR.toMillis() + " ms added") + "\n");
            out.println(trips + "\n");
            return comparisons;
        }
    }

    // ---- what is measured

    private void describe(TestDatabase database, Field field) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet durability = statement.executeQuery(server.durability())) {
            durability.next();
            DatabaseMetaData about = connection.getMetaData();
            out.printf("## %s %s%n%n", about.getDatabaseProductName(), about.getDatabaseProductVersion());
            out.printf(
                    "%s; %s; %s; JDK %s, %d processors%n",
                    database.server().host(),
                    durability.getString(1),
                    about.getDriverName() + " " + about.getDriverVersion(),
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors());
        }
        out.printf(
                "%d threads, random keys, lock and release; %d rounds in turns of %.1f s; medians, operations/s%n%n",
                Load.THREADS, rounds, turn.toMillis() / 1e3);
        for (Contender contender : field.all()) {
            out.println("- " + contender.name() + ": " + String.join("; ", contender.configuration()));
        }
        out.println();
    }

    private static String roundTrips(TcpProxy proxy, Field far) throws Exception {
        return "Round trips per hold, counted by a proxy: "
                + Comparison.number("%.3f", RoundTrips.perHold(far.ours(), proxy)) + " (asked: 2), "
                + far.selectPerLevel().name() + " "
                + Comparison.number("%.3f", RoundTrips.perHold(far.selectPerLevel(), proxy));
    }

    // ---- what came out

    private List<Comparison> compare(Field near, Rounds nearby, Field far, Rounds farAway) {
        LockServer.Asked asked = server.asked();
        Series ours = nearby.of(near.ours());
        Series single = nearby.of(near.oneKey());
        Series spring = nearby.of(near.springRegistry());
        Series shedLock = nearby.of(near.shedLock());
        return List.of(
                Comparison.only("3 levels, one select per level", ours, nearby.of(near.selectPerLevel())),
                Comparison.asking(
                        asked.selectPerLevel(),
                        "3 levels, one select per level, prepared on the server",
                        ours,
                        nearby.of(near.preparedSelects())),
                Comparison.asking(asked.springRegistry(), "3 levels, Spring Integration with one key", ours, spring),
                Comparison.asking(asked.shedLock(), "3 levels, ShedLock with one key", ours, shedLock),
                Comparison.asking(
                        asked.selectPerLevelFar(),
                        "3 levels, one select per level, 1 ms added to each round trip",
                        farAway.of(far.ours()),
                        farAway.of(far.selectPerLevel())),
                Comparison.only("one key, Spring Integration", single, spring),
                Comparison.only("one key, ShedLock", single, shedLock));
    }

    private static String details(Rounds rounds, String added) {
        TextTable table = new TextTable(List.of("operations/s" + added, "median", "min", "max", "refused"));
        rounds.contenders().forEach(contender -> {
            Series series = rounds.of(contender);
            Stream<String> numbers = Stream.of(series.median(), series.min(), series.max())
                    .map(value -> Comparison.number("%,.0f", value));
            table.add(
                    Stream.of(Stream.of(contender.name()), numbers, Stream.of(Long.toString(rounds.refused(contender))))
                            .flatMap(each -> each)
                            .toList());
        });
        return table.toString();
    }
}
