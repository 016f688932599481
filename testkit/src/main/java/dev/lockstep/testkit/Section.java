package dev.lockstep.testkit;

import dev.lockstep.core.FencingToken;

/** One critical section, as an {@link ExclusionChecker} logs it. */
record Section(String key, boolean exclusive, long enter, long exit, FencingToken token, String process, String owner) {
    boolean sameOwner(Section other) {
        return process.equals(other.process) && owner.equals(other.owner);
    }

    boolean sameLease(Section other) {
        return sameOwner(other) && token.equals(other.token);
    }

    @Override
    public String toString() {
        return (exclusive ? "X(" : "S(") + key + ") of '" + owner + "' in " + process + ", " + enter + " to " + exit
                + " ns, token " + token;
    }
}
