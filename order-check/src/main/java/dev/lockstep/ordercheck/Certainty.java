package dev.lockstep.ordercheck;

/** Whether something holds in every run, in some runs as far as the source says, or in none. */
enum Certainty {
    NO,
    MAYBE,
    YES;

    Certainty and(Certainty other) {
        return compareTo(other) <= 0 ? this : other;
    }

    Certainty or(Certainty other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
