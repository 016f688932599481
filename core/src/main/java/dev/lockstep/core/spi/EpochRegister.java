package dev.lockstep.core.spi;

/**
 * One {@link Epoch} that all processes read and change. A register is linearizable: what a read answers was there at a moment after
 * it was asked, so it is never read from a replica, and what was replaced stays so when the server crashes.
 *
 * <p>Every call ends in bounded time, and throws a {@link dev.lockstep.core.LockException} when the register can't be reached.
 */
public interface EpochRegister {
    /** Refuses a register that is missing or can't be written, with what to do about it. */
    void requireUsable();

    /** What is there now. */
    Epoch read();

    /** Puts an epoch in the place of another, if exactly that one is still there. Returns whether it was; lasting when it did. */
    boolean replace(Epoch expected, Epoch next);
}
