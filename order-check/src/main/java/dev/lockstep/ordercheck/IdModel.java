package dev.lockstep.ordercheck;

/** An id as far as the source says. */
sealed interface IdModel {
    /** An id that is a constant. */
    record Constant(String text) implements IdModel {}

    /**
     * A value that is not known, but is the same wherever the same identity stands for it.
     *
     * @param identity the variable that has the value, or any object
     * @param above how many levels above the key that the variable has; zero for the variable's own id
     */
    record Symbolic(Object identity, int above) implements IdModel {}

    /** A value that may be any. */
    static IdModel unknown() {
        return new Symbolic(new Object(), 0);
    }

    default Certainty isSame(IdModel other) {
        if (equals(other)) {
            return Certainty.YES;
        }
        return this instanceof Constant && other instanceof Constant ? Certainty.NO : Certainty.MAYBE;
    }
}
