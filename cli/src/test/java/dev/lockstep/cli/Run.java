package dev.lockstep.cli;

import dev.lockstep.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What a run of the command in this process printed and answered. */
record Run(int code, String out, String err) {
    /** Into a pipe. */
    static Run of(String... args) {
        return on(false, true, args);
    }

    /** On a terminal of 100 columns without colours. */
    static Run onTerminal(String... args) {
        return on(true, true, args);
    }

    static Run on(boolean interactive, boolean unicode, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal =
                new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), interactive, false, unicode, 100);
        int code = Lockstep.run(terminal, args);
        return new Run(code, out.toString(), err.toString());
    }

    List<String> lines() {
        return out.lines().toList();
    }

    String all() {
        return out + err;
    }
}
