package dev.lockstep.core;

/**
 * How a lock is held. Callers ask for {@link #SHARED} or {@link #EXCLUSIVE}; the plan adds the intents on the ancestors.
 *
 * <p>An intent says "something below is locked this way", so that a lock of a whole subtree meets the locks inside it at
 * the subtree's root.
 */
public enum LockMode {
    /** Something below is held shared. */
    INTENT_SHARED("IS", 0b00001, 0b10000, 0b0001),
    /** Something below is held exclusively. */
    INTENT_EXCLUSIVE("IX", 0b00010, 0b11100, 0b0011),
    /** This and everything below is held shared. */
    SHARED("S", 0b00100, 0b11010, 0b0101),
    /** Shared as a whole, with something below held exclusively: the join of S and IX. */
    SHARED_INTENT_EXCLUSIVE("SIX", 0b01000, 0b11110, 0b0111),
    /** This and everything below is held exclusively. */
    EXCLUSIVE("X", 0b10000, 0b11111, 0b1111);

    private final String symbol;
    private final int bit;
    private final int conflicts; // the bits of the modes that no other holder may have
    private final int grants; // what the mode allows; a join allows what either allows

    LockMode(String symbol, int bit, int conflicts, int grants) {
        this.symbol = symbol;
        this.bit = bit;
        this.conflicts = conflicts;
        this.grants = grants;
    }

    /** The textbook's short name: IS, IX, S, SIX or X. */
    public String symbol() {
        return symbol;
    }

    /** Whether two holders may have one thing in these modes at the same time. */
    public boolean compatibleWith(LockMode other) {
        return (conflicts & other.bit) == 0;
    }

    /** The weakest mode that is at least as strong as both. */
    public LockMode join(LockMode other) {
        if (covers(other)) {
            return this;
        }
        return other.covers(this) ? other : SHARED_INTENT_EXCLUSIVE;
    }

    /** Whether holding this mode makes holding {@code other} on the same key unnecessary. */
    public boolean covers(LockMode other) {
        return (grants & other.grants) == other.grants;
    }

    /** Whether holding this mode on an ancestor makes holding {@code other} below it unnecessary. */
    public boolean coversBelow(LockMode other) {
        return switch (this) {
            case EXCLUSIVE -> true;
            case SHARED, SHARED_INTENT_EXCLUSIVE -> other == SHARED || other == INTENT_SHARED;
            case INTENT_SHARED, INTENT_EXCLUSIVE -> false;
        };
    }

    /** The mode that an ancestor of a thing held in this mode is held in. */
    public LockMode intent() {
        return this == SHARED || this == INTENT_SHARED ? INTENT_SHARED : INTENT_EXCLUSIVE;
    }

    /** Whether it only says that something below is locked. Intents never conflict with each other. */
    public boolean isIntent() {
        return this == INTENT_SHARED || this == INTENT_EXCLUSIVE;
    }

    /** This mode as one bit, to gather several modes in an int. */
    public int bit() {
        return bit;
    }

    /** The {@link #bit() bits} of all modes that conflict with this one. */
    public int conflicts() {
        return conflicts;
    }
}
