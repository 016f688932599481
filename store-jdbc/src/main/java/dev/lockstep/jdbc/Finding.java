package dev.lockstep.jdbc;

import java.util.Objects;

/**
 * One thing that a {@link Doctor} saw.
 *
 * @param severity whether it is in order
 * @param what what was seen
 * @param whatToDo the way out; for what is in order a remark, or empty
 */
public record Finding(Severity severity, String what, String whatToDo) {
    /** How bad a finding is. */
    public enum Severity {
        /** In order. */
        OK,
        /** Locks work, but something else doesn't, or may not later. */
        WARNING,
        /** Locks don't work, or exclude less than they should. */
        ERROR
    }

    /** Rejects a trouble without a way out. */
    public Finding {
        Objects.requireNonNull(severity, "severity");
        if (severity != Severity.OK && whatToDo.isBlank()) {
            throw new IllegalArgumentException("A finding needs a way out: " + what);
        }
    }

    static Finding ok(String what) {
        return new Finding(Severity.OK, what, "");
    }

    static Finding ok(String what, String remark) {
        return new Finding(Severity.OK, what, remark);
    }

    static Finding warning(String what, String whatToDo) {
        return new Finding(Severity.WARNING, what, whatToDo);
    }

    static Finding error(String what, String whatToDo) {
        return new Finding(Severity.ERROR, what, whatToDo);
    }

    /** {@code ERROR what whatToDo}, in one line. */
    @Override
    public String toString() {
        return (severity + " " + what + " " + whatToDo).strip();
    }
}
