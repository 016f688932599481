package dev.lockstep.examples;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;

/** The kinds of the hierarchy: users have accounts, and accounts have resources. */
// tag::kinds
public enum AccountKinds implements LockKind {
    @Ranked(0)
    USER,
    @Ranked(value = 1, in = "USER")
    ACCOUNT,
    @Ranked(value = 2, in = "ACCOUNT")
    RESOURCE
}
// end::kinds
