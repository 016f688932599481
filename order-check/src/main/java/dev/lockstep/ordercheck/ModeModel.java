package dev.lockstep.ordercheck;

/** The lock modes of core, with the same rules: the plugin runs in the compiler, where core is not on its class path. */
enum ModeModel {
    IS(0b0001),
    IX(0b0011),
    S(0b0101),
    SIX(0b0111),
    X(0b1111);

    private final int grants;

    ModeModel(int grants) {
        this.grants = grants;
    }

    boolean covers(ModeModel other) {
        return (grants & other.grants) == other.grants;
    }

    boolean coversBelow(ModeModel other) {
        return this == X || ((this == S || this == SIX) && (other == S || other == IS));
    }

    ModeModel join(ModeModel other) {
        if (covers(other)) {
            return this;
        }
        return other.covers(this) ? other : SIX;
    }

    ModeModel intent() {
        return this == S || this == IS ? IS : IX;
    }

    boolean isIntent() {
        return this == IS || this == IX;
    }
}
