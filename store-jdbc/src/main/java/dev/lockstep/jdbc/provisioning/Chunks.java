package dev.lockstep.jdbc.provisioning;

import dev.lockstep.core.InvalidRequestException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows of one level, cut into chunks that are created in one transaction each.
 *
 * @param rows how many rows the level has
 * @param size how many rows a chunk has; the last one may have fewer
 */
public record Chunks(int rows, int size) {
    public static final int DEFAULT_SIZE = 100_000;
    static final int LARGEST = 1_000_000;
    private static final int MOST = 1_000_000;

    public Chunks {
        if (size < 1 || size > LARGEST) {
            throw new InvalidRequestException("A chunk has " + size + " rows. Give 1 to " + LARGEST
                    + ", such as the usual " + DEFAULT_SIZE + ".");
        }
        if (rows / size >= MOST) {
            throw new InvalidRequestException("Chunks of " + size + " rows are too many for " + rows
                    + " buckets. Give a chunk of " + DEFAULT_SIZE + " rows.");
        }
    }

    public int count() {
        return (int) (((long) rows + size - 1) / size);
    }

    int first(int chunk) {
        return chunk * size;
    }

    /** One more than the chunk's last row. */
    long end(int chunk) {
        return (long) first(chunk) + rowsOf(chunk);
    }

    public int rowsOf(int chunk) {
        return Math.min(size, rows - first(chunk));
    }

    /**
     * The beginning of a statement that may then select {@code n} from {@code numbers}: 0, 1, 2 and so on, at least as many as a
     * chunk has rows. A cross join of digits needs no setting of the server; a recursive query stops at 1,000 by default.
     */
    String numbers() {
        int digits = Integer.toString(size - 1).length();
        return """
                WITH digits AS (
                  SELECT 0 AS digit UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
                  UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
                ),
                numbers AS (
                  SELECT %s AS n
                  FROM %s
                )""".formatted(sum(digits), join(digits));
    }

    private static String sum(int digits) {
        return IntStream.range(0, digits)
                .mapToObj(i -> "d" + i + ".digit * 1" + "0".repeat(i))
                .collect(Collectors.joining(" + "));
    }

    private static String join(int digits) {
        return IntStream.range(0, digits).mapToObj(i -> "digits AS d" + i).collect(Collectors.joining(" CROSS JOIN "));
    }
}
