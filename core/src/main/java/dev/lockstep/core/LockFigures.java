package dev.lockstep.core;

/**
 * How much one {@link Locks} holds and waits for at a moment, others in the same store not counted.
 *
 * @param held grants of the store that stand; a nested request that an outer one covers needs none
 * @param waiting requests that the store has not answered yet
 */
public record LockFigures(int held, int waiting) {}
