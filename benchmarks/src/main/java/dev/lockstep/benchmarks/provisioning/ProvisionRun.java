package dev.lockstep.benchmarks.provisioning;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.BenchmarkKinds;
import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.benchmarks.measure.TextTable;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.jdbc.Provisioning;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * {@code ./lockstep bench provision}: the rows of three kinds, made by Lockstep and by the cross joins of the source system, on
 * one fresh MySQL server, each time in its own database that is dropped before the next one is made.
 */
public final class ProvisionRun {
    private static final String BUCKETS = "--buckets";
    private static final String ROUNDS = "--rounds";
    private static final int KINDS = 3;
    private static final double LONGEST = 1.2;

    private final List<Double> ours = new ArrayList<>();
    private final List<Double> theirs = new ArrayList<>();
    private final List<TableSize> ourSizes = new ArrayList<>();
    private final List<TableSize> theirSizes = new ArrayList<>();
    private final PrivateServer server;
    private final int buckets;

    private interface Maker {
        void make(DataSource dataSource) throws SQLException;
    }

    private ProvisionRun(PrivateServer server, int buckets) {
        this.server = server;
        this.buckets = buckets;
    }

    public static void run(List<String> args) throws SQLException {
        Map<String, Integer> defaults = new LinkedHashMap<>();
        defaults.put(BUCKETS, 1_000_000);
        defaults.put(ROUNDS, 1);
        BenchOptions options = BenchOptions.parse(args, defaults);
        if (!options.names().isEmpty()) {
            throw new UsageException("provision takes no name, and got " + options.names());
        }
        try (PrivateServer server = TestServers.startMysql()) {
            ProvisionRun run = new ProvisionRun(server, options.number(BUCKETS));
            for (int round = 1; round <= options.number(ROUNDS); round++) {
                run.round(round);
            }
            run.report();
        }
    }

    private void round(int round) throws SQLException {
        if (round % 2 == 1) {
            ourTurn();
            theirTurn();
        } else {
            theirTurn();
            ourTurn();
        }
    }

    private void ourTurn() throws SQLException {
        measure("Lockstep", this::provision, ours, ourSizes);
    }

    private void theirTurn() throws SQLException {
        measure("cross join", dataSource -> CrossJoin.provision(dataSource, buckets), theirs, theirSizes);
    }

    private void provision(DataSource dataSource) {
        ProgressLine line = new ProgressLine();
        Provisioning.of(dataSource)
                .kinds(BenchmarkKinds.RESOURCE)
                .buckets(buckets)
                .listener(progress -> line.show("Lockstep: " + progress))
                .run();
    }

    private void measure(String name, Maker maker, List<Double> times, List<TableSize> sizes) throws SQLException {
        try (TestDatabase database = server.freshDatabase()) {
            DataSource dataSource =
                    new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
            System.err.printf("  %s: %,d rows%n", name, rows());
            long start = System.nanoTime();
            maker.make(dataSource);
            times.add((System.nanoTime() - start) / 1e9);
            sizes.add(TableSize.of(dataSource, rows()));
        }
    }

    private long rows() {
        return (long) KINDS * buckets;
    }

    private void report() throws SQLException {
        try (var connection = server.connect()) {
            System.out.printf(
                    "%nMySQL %s, %,d buckets for each of %d kinds = %,d rows, %d round(s), medians%n%n",
                    connection.getMetaData().getDatabaseProductVersion(), buckets, KINDS, rows(), ours.size());
        }
        TextTable table = new TextTable(List.of("", "seconds", "rows/s", "MB on disk", "MB of pages"));
        table.add(row("Lockstep's Provisioning", new Series(ours), ourSizes));
        table.add(row("cross joins, one per kind", new Series(theirs), theirSizes));
        System.out.println(table);
        double ratio = new Series(ours).dividedBy(new Series(theirs)).median();
        System.out.printf(
                "%nLockstep takes %s times as long; asked: at most %.1f %s%n",
                Comparison.number("%.2f", ratio), LONGEST, ratio <= LONGEST ? "✓" : "✗");
    }

    private List<String> row(String name, Series times, List<TableSize> sizes) {
        TableSize size = sizes.get(sizes.size() - 1);
        return List.of(
                name,
                Comparison.number("%.1f", times.median()),
                Comparison.number("%,.0f", rows() / times.median()),
                Comparison.number("%,.1f", size.file() / 1e6),
                Comparison.number("%,.1f", size.pages() / 1e6));
    }
}
