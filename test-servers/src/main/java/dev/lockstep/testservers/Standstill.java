package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A process that has got SIGSTOP, and gets SIGCONT when this is closed or this JVM has ended, even if by kill -9. */
final class Standstill implements AutoCloseable {
    private static final String SCRIPT = "kill -STOP $0; echo stopped; read end; kill -CONT $0; echo continues";

    private static final int MOST_LOOKS = 60_000;

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
            awaitThreads(pid);
            return standstill;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The signal is sent, but on a busy machine a thread may continue until another one of the process has taken it. */
    private static void awaitThreads(long pid) throws IOException {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        for (int i = 0; i < MOST_LOOKS && !standStill(threads); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Also of a process that has ended, and where there is no /proc. */
    private static boolean standStill(Path threads) throws IOException {
        if (!Files.isDirectory(threads)) {
            return true;
        }
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(Standstill::standsStill);
        } catch (NoSuchFileException | UncheckedIOException e) {
            return false; // it is just ending
        }
    }

    private static boolean standsStill(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return "TZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException e) {
            return true; // the thread has ended
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
