package dev.lockstep.core.spi;

/**
 * Which of two stores grants locks: what an {@link EpochRegister} keeps for all processes that use the pair.
 *
 * @param number rises with each switch, and is the first part of every fencing token
 * @param side the store that grants in this epoch
 * @param open whether everything granted in the epoch before has ended, so that locks may be granted
 * @param objections how often a process said that it can't reach the primary
 * @param terms the settings that all processes must share, as text; empty until the first process has written them
 */
public record Epoch(long number, Side side, boolean open, long objections, String terms) {
    /** One store of the pair. */
    public enum Side {
        /** The one that is used as long as it can be reached. */
        PRIMARY,
        /** The one that keeps the register, and stands in for the other. */
        SECONDARY;

        /** The other store of the pair. */
        public Side other() {
            return this == PRIMARY ? SECONDARY : PRIMARY;
        }
    }

    /** The next epoch, in which the other store grants, once everything that was granted in this one has ended. */
    public Epoch switched() {
        return new Epoch(number + 1, side.other(), false, 0, terms);
    }

    /** The same, with locks granted from now on. */
    public Epoch opened() {
        return new Epoch(number, side, true, objections, terms);
    }

    /** The same, with one more objection to going back to the primary. */
    public Epoch objected() {
        return new Epoch(number, side, open, objections + 1, terms);
    }

    /** The same with these terms. */
    public Epoch withTerms(String shared) {
        return new Epoch(number, side, open, objections, shared);
    }
}
