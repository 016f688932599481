package dev.lockstep.benchmarks.redis;

/** Takes a lock, and waits for it if it must. */
@FunctionalInterface
interface Taker {
    Held take();

    /** What was taken, until it is closed. */
    @FunctionalInterface
    interface Held extends AutoCloseable {
        @Override
        void close();
    }
}
