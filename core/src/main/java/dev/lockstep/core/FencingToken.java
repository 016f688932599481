package dev.lockstep.core;

/**
 * A number that rises with every grant of a key, and of the keys below one top-level key, so that a resource can refuse a write by a holder that was overtaken.
 *
 * @param epoch rises when another store takes over; compared first
 * @param value rises with every grant of a key inside an epoch
 */
public record FencingToken(long epoch, long value) implements Comparable<FencingToken> {
    @Override
    public int compareTo(FencingToken other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(value, other.value);
    }

    /** {@code epoch.value}: text, because values pass 2^53. */
    @Override
    public String toString() {
        return epoch + "." + value;
    }
}
