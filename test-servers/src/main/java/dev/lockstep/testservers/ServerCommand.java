package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command line.
 *
 * @param words the program and its arguments
 */
record ServerCommand(List<String> words) {
    private static final long SECONDS = 300;

    static ServerCommand of(List<String> words) {
        return new ServerCommand(words);
    }

    ServerCommand with(String... more) {
        return with(List.of(more));
    }

    ServerCommand with(List<String> more) {
        return new ServerCommand(Stream.concat(words.stream(), more.stream()).toList());
    }

    void run() throws IOException {
        run("");
    }

    /** Runs it to its end, and throws with what it printed unless it succeeds. */
    void run(String input) throws IOException {
        Path in = Files.createTempFile("lockstep-", ".in");
        Path out = Files.createTempFile("lockstep-", ".out");
        try {
            Files.writeString(in, input);
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .start();
            check(exitCode(process), out);
        } finally {
            Files.delete(in);
            Files.delete(out);
        }
    }

    private void check(int exitCode, Path out) throws IOException {
        if (exitCode != 0) {
            String log = Files.readString(out, StandardCharsets.ISO_8859_1);
            throw ServerLog.failure("exit code %d of %s".formatted(exitCode, words), log);
        }
    }

    private int exitCode(Process process) {
        try {
            if (process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            throw new UncheckedIOException(new IOException("not done after " + SECONDS + " s: " + words));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + words, e);
        } finally {
            process.destroyForcibly();
        }
    }
}
