package dev.lockstep.projectlock;

/** Is called before every step of a transaction that leaves a trace on the disk. Tests end the process there. */
@FunctionalInterface
interface Steps {
    /** Continues. */
    Steps GO_ON = step -> {};

    /** The step comes next. */
    void before(String step);
}
