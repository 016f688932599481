package dev.lockstep.cli;

import dev.lockstep.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What a run of the command printed, and how it ended. */
record Printed(int exitCode, String out, String err) {
    /** Into a pipe that takes every character. */
    static Printed by(String... args) {
        return by(true, args);
    }

    static Printed by(boolean unicode, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal =
                new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false, unicode, 80);
        int exitCode = Lockstep.run(terminal, args);
        return new Printed(exitCode, out.toString(), err.toString());
    }
}
