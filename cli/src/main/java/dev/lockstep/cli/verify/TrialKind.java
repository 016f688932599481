package dev.lockstep.cli.verify;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;

/** The kinds of the trial: a hierarchy of three levels, and two flat kinds that rank above it. */
public enum TrialKind implements LockKind {
    /** At the top. */
    @Ranked(0)
    USER,
    /** Of a user. */
    @Ranked(value = 1, in = "USER")
    ACCOUNT,
    /** Of an account. */
    @Ranked(value = 2, in = "ACCOUNT", leaf = true)
    RESOURCE,
    /** Alone. */
    @Ranked(value = 3, leaf = true)
    CHARACTER,
    /** Alone, and locked after a character. */
    @Ranked(value = 4, leaf = true)
    EQUIPMENT
}
