package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A shell that is a server's parent process. It ends the server and removes its directory when this JVM has ended, even if
 * by kill -9: then its standard input ends.
 */
final class Watchdog implements AutoCloseable {
    private final Process shell;
    private final Writer questions;
    private final BufferedReader answers;

    private Watchdog(Process shell) {
        this.shell = shell;
        this.questions = shell.outputWriter(StandardCharsets.US_ASCII);
        this.answers = shell.inputReader(StandardCharsets.US_ASCII);
    }

    /** In its own session, so that a signal to all processes of a terminal or a build doesn't end it too. */
    static Watchdog over(Path directory, String endSignal, List<String> command) throws IOException {
        List<String> words = ServerCommand.of(
                        List.of("setsid", "sh", script(directory).toString()))
                .with(directory.toString(), endSignal)
                .with(command)
                .words();
        return new Watchdog(new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    private static Path script(Path directory) throws IOException {
        Path script = directory.resolve("watchdog.sh");
        try (var in = Archives.resource("watchdog.sh")) {
            Files.copy(in, script);
        }
        return script;
    }

    /** Starts the server and answers its process id. */
    long start() {
        return Long.parseLong(ask("start"));
    }

    /** Sends a signal and waits for the server's end. */
    void end(String signal) {
        ask("end " + signal);
    }

    void kill() {
        ask("kill");
    }

    void pause() {
        ask("pause");
    }

    void resume() {
        ask("resume");
    }

    private synchronized String ask(String line) {
        try {
            questions.write(line + "\n");
            questions.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("the watchdog has ended, and the server with it");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server and waits until its directory is gone. */
    @Override
    public void close() {
        try {
            questions.close();
            shell.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
