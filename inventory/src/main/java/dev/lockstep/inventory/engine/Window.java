package dev.lockstep.inventory.engine;

/** Counts of one stock for about a second. */
final class Window {
    private final long start;
    private long attempts;
    private long conflicts;
    private long combined;
    private long inCompany;

    Window(long start) {
        this.start = start;
    }

    long age(long nanos) {
        return nanos - start;
    }

    void attempted(boolean conflict) {
        attempts++;
        conflicts += conflict ? 1 : 0;
    }

    void combined(int works, boolean company) {
        combined += works;
        inCompany += company ? works : 0;
    }

    long attempts() {
        return attempts;
    }

    long combined() {
        return combined;
    }

    /** How many attempts met others, here and in another window together. */
    double conflictRate(Window other) {
        return rate(conflicts + other.conflicts, attempts + other.attempts);
    }

    /** How many commands shared a transaction, here and in another window together. */
    double company(Window other) {
        return rate(inCompany + other.inCompany, combined + other.combined);
    }

    private static double rate(long part, long all) {
        return all == 0 ? 0 : (double) part / all;
    }
}
