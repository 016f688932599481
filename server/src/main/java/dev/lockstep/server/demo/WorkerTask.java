package dev.lockstep.server.demo;

/** What a simulated worker does, again and again. */
@FunctionalInterface
interface WorkerTask {
    /** Does it once. What it can't lock it does without. */
    void work(DemoContext scene) throws InterruptedException;
}
