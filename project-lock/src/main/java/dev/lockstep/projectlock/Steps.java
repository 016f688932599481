package dev.lockstep.projectlock;

/** Is told before every step of a transaction that leaves a trace on the disk. Tests end the process there. */
@FunctionalInterface
interface Steps {
    /** Goes on. */
    Steps GO_ON = step -> {};

    /** The step comes next. */
    void before(String step);
}
