package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Finding;

/** Judges whether a limit leaves room for the connections of a store. */
public final class ConnectionLimitRule {
    private ConnectionLimitRule() {}

    /**
     * Compares.
     *
     * @param limit the name of what limits them
     * @param most how many there may be
     * @param used how many there are, the doctor's own included
     * @param wanted how many leases the store may keep one for; it opens one more to inspect the server
     */
    static Finding judge(String limit, long most, long used, int wanted) {
        String what = limit + " is " + most + ", with " + used + " open now, and the store may open " + wanted
                + " and one to inspect the server";
        String wayOut = "Raise it, or lower connections() of the store: each lease keeps one while it is held.";
        if (most < wanted) {
            return Finding.error(what + ": there can never be enough.", wayOut);
        }
        long free = most - used + 1; // the doctor's own comes back
        return free <= wanted ? Finding.warning(what + ": too few are left now.", wayOut) : Finding.ok(what + ".");
    }
}
