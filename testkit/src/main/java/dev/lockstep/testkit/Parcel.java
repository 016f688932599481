package dev.lockstep.testkit;

import dev.lockstep.core.LockKind;

/** A kind above all of {@link Tenancy}, so that it can be locked inside any of it. */
enum Parcel implements LockKind {
    PARCEL;

    @Override
    public String prefix() {
        return "parcel";
    }

    @Override
    public int rank() {
        return 10;
    }

    @Override
    public boolean leaf() {
        return true;
    }
}
