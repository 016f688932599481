package dev.lockstep.jdbc.provisioning;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of {@code hier_lock_buckets}, read and created in chunks.
 *
 * <p>The server generates the numbers itself, and sorts them: rows in the order of the primary key fill pages of the table one
 * after the other, which takes a third of the space and of the page writes that a random order takes.
 */
public final class BucketRows {
    private static final int COUNTED_AT_ONCE = 1_000_000;

    private static final String COUNT = """
            SELECT COUNT(*)
            FROM hier_lock_buckets
            WHERE level = ? AND bucket >= ? AND bucket < ?""";

    private static final String COUNTS = """
            SELECT bucket DIV ? AS chunk, COUNT(*)
            FROM hier_lock_buckets
            WHERE level = ? AND bucket >= ? AND bucket < ?
            GROUP BY chunk""";

    private static final String FILL = """
            INSERT IGNORE INTO hier_lock_buckets (level, bucket)
            %s
            SELECT ?, ? + n
            FROM numbers
            WHERE n < ?
            ORDER BY n""";

    /** Reads existing rows without locks: an insert would wait for the holder of one of the rows. */
    private static final String REPAIR = """
            INSERT IGNORE INTO hier_lock_buckets (level, bucket)
            %s
            SELECT ?, ? + n
            FROM numbers
            LEFT JOIN hier_lock_buckets AS present ON present.level = ? AND present.bucket = ? + n
            WHERE n < ? AND present.bucket IS NULL
            ORDER BY n""";

    private static final String GAPS = """
            SELECT bucket + 1, next_bucket - 1
            FROM (
              SELECT bucket, COALESCE(LEAD(bucket) OVER (ORDER BY bucket), ?) AS next_bucket
              FROM (
                SELECT ? AS bucket
                UNION ALL
                SELECT bucket FROM hier_lock_buckets WHERE level = ? AND bucket >= ? AND bucket < ?
              ) AS present
            ) AS steps
            WHERE next_bucket > bucket + 1
            ORDER BY bucket
            LIMIT ?""";

    private final Connection connection;
    private final Chunks chunks;

    public BucketRows(Connection connection, Chunks chunks) {
        this.connection = connection;
        this.chunks = chunks;
    }

    /** How many rows of each chunk are there. */
    public int[] counts(int level) throws SQLException {
        int[] counts = new int[chunks.count()];
        int step = Math.max(1, COUNTED_AT_ONCE / chunks.size());
        for (int from = 0; from < counts.length; from += step) {
            count(level, from, Math.min(counts.length, from + step), counts);
        }
        return counts;
    }

    /** Counts some chunks at once, which takes half the time, and one by one only if some rows are there and others aren't. */
    private void count(int level, int from, int to, int[] counts) throws SQLException {
        long found = count(level, from, to);
        if (found == chunks.end(to - 1) - chunks.first(from)) {
            for (int chunk = from; chunk < to; chunk++) {
                counts[chunk] = chunks.rowsOf(chunk);
            }
        } else if (found > 0) {
            countEach(level, from, to, counts);
        }
    }

    private long count(int level, int from, int to) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(COUNT)) {
            query.setInt(1, level);
            query.setLong(2, chunks.first(from));
            query.setLong(3, chunks.end(to - 1));
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private void countEach(int level, int from, int to, int[] counts) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(COUNTS)) {
            query.setInt(1, chunks.size());
            query.setInt(2, level);
            query.setLong(3, chunks.first(from));
            query.setLong(4, chunks.end(to - 1));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    counts[row.getInt(1)] = row.getInt(2);
                }
            }
        }
    }

    /** Creates the rows of a chunk that has none; returns how many were created. */
    public int fill(int level, int chunk) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(FILL.formatted(chunks.numbers()))) {
            insert.setInt(1, level);
            insert.setInt(2, chunks.first(chunk));
            insert.setInt(3, chunks.rowsOf(chunk));
            return insert.executeUpdate();
        }
    }

    /** Creates the missing rows of a chunk; returns how many were created. */
    public int repair(int level, int chunk) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(REPAIR.formatted(chunks.numbers()))) {
            insert.setInt(1, level);
            insert.setInt(2, chunks.first(chunk));
            insert.setInt(3, level);
            insert.setInt(4, chunks.first(chunk));
            insert.setInt(5, chunks.rowsOf(chunk));
            return insert.executeUpdate();
        }
    }

    /** Rows that are missing, from the first bucket to the last. */
    public record Gap(int first, int last) {}

    /** The ranges of rows of a chunk that aren't there, the first ones up to a limit. */
    public List<Gap> gaps(int level, int chunk, int limit) throws SQLException {
        long first = chunks.first(chunk);
        long end = chunks.end(chunk);
        try (PreparedStatement query = connection.prepareStatement(GAPS)) {
            query.setLong(1, end);
            query.setLong(2, first - 1);
            query.setInt(3, level);
            query.setLong(4, first);
            query.setLong(5, end);
            query.setInt(6, limit);
            try (ResultSet row = query.executeQuery()) {
                List<Gap> gaps = new ArrayList<>();
                while (row.next()) {
                    gaps.add(new Gap(row.getInt(1), row.getInt(2)));
                }
                return gaps;
            }
        }
    }
}
