package dev.lockstep.jdbc;

/**
 * Rows of {@code hier_lock_buckets} that aren't there, although their kind is recorded.
 *
 * @param kind the prefix of the kind whose rows they are
 * @param level the level of the rows
 * @param first the first bucket that is missing
 * @param last the last one
 */
public record MissingRange(String kind, int level, int first, int last) {
    /** How many rows that are. */
    public long rows() {
        return (long) last - first + 1;
    }

    boolean continuedBy(MissingRange next) {
        return level == next.level && last + 1L == next.first;
    }

    MissingRange upTo(MissingRange next) {
        return new MissingRange(kind, level, first, next.last);
    }

    @Override
    public String toString() {
        String buckets = first == last ? "bucket " + first : "buckets " + first + " to " + last;
        return buckets + " of level " + level + " (" + kind + ")";
    }
}
