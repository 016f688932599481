package dev.lockstep.projectlock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;

/** A small file system in memory, mounted for one test. */
final class Mount implements AutoCloseable {
    final Path directory;

    private Mount(Path directory) {
        this.directory = directory;
    }

    /** Mounts one of 128 KiB, or skips the test where that is not allowed. */
    static Mount small(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        String problem;
        try {
            problem = run("mount", "-t", "tmpfs", "-o", "size=128k", "lockstep-test", directory.toString());
        } catch (IOException e) {
            problem = e.toString();
        }
        Assumptions.assumeTrue(problem.isEmpty(), "a file system can't be mounted here: " + problem);
        return new Mount(directory);
    }

    /** Lets nobody write to it any more. No file may be open for writing. */
    void makeReadOnly() throws IOException, InterruptedException {
        String problem = run("mount", "-o", "remount,ro", directory.toString());
        if (!problem.isEmpty()) {
            throw new IOException(problem);
        }
    }

    /** Uses up all of its space. */
    void fill() throws IOException {
        Path ballast = directory.resolve("ballast");
        Files.write(ballast, new byte[0]);
        try {
            while (true) {
                Files.write(ballast, new byte[1_024], StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    /** Gives the space back. */
    void empty() throws IOException {
        Files.delete(directory.resolve("ballast"));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : String.join(" ", command) + ": " + output;
    }

    @Override
    public void close() {
        try {
            String problem = run("umount", "-l", directory.toString());
            if (!problem.isEmpty()) {
                throw new IllegalStateException(problem);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
