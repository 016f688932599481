package dev.lockstep.projectlock;

import java.util.Optional;
import java.util.stream.Stream;

/** What a project lease rests on. */
public enum LeaseSource {
    /** The lease record, and a lock of the operating system that goes with the process. */
    OS_LOCK("os-lock"),
    /** The lease record alone. */
    LEASE_FILE("lease-file");

    private final String text;

    LeaseSource(String text) {
        this.text = text;
    }

    /** The stable text form, such as {@code os-lock}. */
    public String text() {
        return text;
    }

    static Optional<LeaseSource> of(String text) {
        return Stream.of(values()).filter(source -> source.text.equals(text)).findFirst();
    }
}
