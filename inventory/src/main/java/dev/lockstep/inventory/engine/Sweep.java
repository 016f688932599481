package dev.lockstep.inventory.engine;

/**
 * What became of the reservations that were due.
 *
 * @param ended how many were ended here
 * @param endedByOthers how many another process had ended in the meantime
 */
record Sweep(int ended, int endedByOthers) {
    static final Sweep NOTHING = new Sweep(0, 0);

    Sweep plus(Sweep other) {
        return new Sweep(ended + other.ended, endedByOthers + other.endedByOthers);
    }
}
