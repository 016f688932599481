package dev.lockstep.core.doctor;

import java.util.Objects;

/**
 * One thing that the doctor of a store saw when it looked at a server.
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

    /** In order. */
    public static Finding ok(String what) {
        return new Finding(Severity.OK, what, "");
    }

    /** In order, with something to know about it. */
    public static Finding ok(String what, String remark) {
        return new Finding(Severity.OK, what, remark);
    }

    /** Locks work, but something should be known or changed. */
    public static Finding warning(String what, String whatToDo) {
        return new Finding(Severity.WARNING, what, whatToDo);
    }

    /** Locks don't work, or exclude less than they should. */
    public static Finding error(String what, String whatToDo) {
        return new Finding(Severity.ERROR, what, whatToDo);
    }

    /** Why something failed, as a part of a finding: the message in one line, with a full stop. */
    public static String reason(Throwable error) {
        String message =
                String.valueOf(error.getMessage()).replaceAll("\\s+", " ").strip();
        return message.endsWith(".") ? message : message + ".";
    }

    /** {@code ERROR what whatToDo}, in one line. */
    @Override
    public String toString() {
        return (severity + " " + what + " " + whatToDo).strip();
    }
}
