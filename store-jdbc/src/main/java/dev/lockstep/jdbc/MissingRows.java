package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.Numbers;
import java.util.List;

/**
 * What a check found missing. A lock that needs a missing row fails with an error; it is never silently not taken.
 *
 * @param rows how many rows are missing of the kinds that are recorded, or how many keys
 * @param kinds the kinds that can't be locked, because they aren't recorded or their rows were never all there
 * @param ranges the bucket rows that are missing, the first {@value #LISTED} ranges
 * @param keys the keys that are missing where rows stand for ids, the first {@value #LISTED}
 */
public record MissingRows(long rows, List<String> kinds, List<MissingRange> ranges, List<String> keys) {
    static final int LISTED = 1_000;

    /** Keeps copies. */
    public MissingRows {
        kinds = List.copyOf(kinds);
        ranges = List.copyOf(ranges);
        keys = List.copyOf(keys);
    }

    /** Whether nothing is missing. */
    public boolean isEmpty() {
        return rows == 0 && kinds.isEmpty();
    }

    /** A line for each thing that is missing. */
    @Override
    public String toString() {
        if (isEmpty()) {
            return "No rows are missing.";
        }
        StringBuilder text = new StringBuilder();
        kinds.forEach(kind -> text.append("kind '").append(kind).append("' is not provisioned\n"));
        ranges.forEach(range -> text.append(range).append('\n'));
        keys.forEach(key -> text.append("key ").append(key).append('\n'));
        return text.append(Numbers.grouped(rows))
                .append(rows == 1 ? " row is" : " rows are")
                .append(" missing. Run the command 'lockstep provision', or Provisioning, to create what is missing.")
                .toString();
    }
}
