package dev.lockstep.server.demo;

/** What a simulated worker does, again and again. */
@FunctionalInterface
interface Shift {
    /** Does it once. What it can't lock it does without. */
    void work(Scene scene) throws InterruptedException;
}
