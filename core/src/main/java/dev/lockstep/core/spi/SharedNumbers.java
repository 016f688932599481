package dev.lockstep.core.spi;

/**
 * Named numbers beside the locks, which all processes share: how many permits a key has. A number stays until it is replaced, also when no process
 * uses the store.
 *
 * <p>Every call ends in bounded time, and throws a {@link dev.lockstep.core.LockException} when the numbers can't be reached.
 */
public interface SharedNumbers {
    /** Records a number if none is recorded under the name; returns the one that is recorded then. */
    long declare(String name, long number);

    /** Replaces a number by another, if exactly that one is recorded; returns whether the other is recorded then, so that it may be repeated. */
    boolean replace(String name, long expected, long next);
}
