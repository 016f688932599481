package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A process that has got SIGSTOP, and gets SIGCONT when this is closed or this JVM has ended, even if by kill -9. */
final class Standstill implements AutoCloseable {
    private static final String SCRIPT = "kill -STOP $0; echo stopped; read end; kill -CONT $0; echo goes on";

    private final Process shell;
    private final BufferedReader output;

    private Standstill(Process shell) {
        this.shell = shell;
        output = shell.inputReader(StandardCharsets.US_ASCII);
    }

    static Standstill of(long pid) {
        try {
            Standstill standstill = new Standstill(new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
            standstill.output.readLine();
            return standstill;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            output.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
