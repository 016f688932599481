package dev.lockstep.benchmarks.provisioning;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Provisioning as the design of the source system does it: one {@code INSERT} for each level, its numbers made by joining the
 * ten digits with themselves, in one transaction. There it reads, for seven digits:
 *
 * <pre>{@code
 * WITH digits AS (SELECT 0 AS d UNION ALL SELECT 1 ... UNION ALL SELECT 9),
 * nums AS (
 *   SELECT (d6.d * 1000000 + d5.d * 100000 + ... + d1.d * 10 + d0.d) AS n
 *   FROM digits d0 CROSS JOIN digits d1 ... CROSS JOIN digits d6
 * )
 * INSERT INTO hier_lock_buckets(level, bucket) SELECT 0, n FROM nums;
 * INSERT INTO hier_lock_buckets(level, bucket) SELECT 1, n FROM nums;
 * INSERT INTO hier_lock_buckets(level, bucket) SELECT 2, n FROM nums;
 * }</pre>
 *
 * MySQL wants the {@code WITH} after the {@code INSERT INTO}, and in each of the three statements; that is all that is changed.
 */
final class CrossJoin {
    private static final int LEVELS = 3;
    private static final String TABLE = """
            CREATE TABLE hier_lock_buckets (
              level TINYINT NOT NULL,
              bucket INT NOT NULL,
              PRIMARY KEY (level, bucket)
            ) ENGINE = InnoDB""";

    private CrossJoin() {}

    static void provision(DataSource dataSource, int buckets) throws SQLException {
        try (RowsWatch watch = RowsWatch.on(dataSource);
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            watch.start();
            for (int level = 0; level < LEVELS; level++) {
                statement.executeUpdate(insert(level, buckets));
                System.err.printf("  cross join: level %d of %d is done%n", level + 1, LEVELS);
            }
        }
    }

    static String insert(int level, int buckets) {
        int digits = Integer.toString(buckets - 1).length();
        boolean whole = buckets == Math.pow(10, digits);
        return """
                INSERT INTO hier_lock_buckets(level, bucket)
                WITH digits AS (
                  SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
                  UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
                ),
                nums AS (
                  SELECT (%s) AS n
                  FROM %s
                )
                SELECT %d, n FROM nums%s""".formatted(
                        joined(digits, " + ", CrossJoin::term),
                        joined(digits, " CROSS JOIN ", digit -> "digits d" + digit),
                        level,
                        whole ? "" : " WHERE n < " + buckets);
    }

    private static String term(int digit) {
        return digit == 0 ? "d0.d" : "d%d.d * 1%s".formatted(digit, "0".repeat(digit));
    }

    private static String joined(int digits, String between, IntFunction<String> part) {
        return IntStream.range(0, digits).mapToObj(part).collect(Collectors.joining(between));
    }
}
