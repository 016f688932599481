package dev.lockstep.cli.exec;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A command that runs under a lock, with the input and output of this process. */
public final class GuardedProcess {
    private final Process process;

    private GuardedProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a command with more variables in its environment.
     *
     * @throws IOException if it can't be executed
     */
    public static GuardedProcess start(List<String> command, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.INHERIT)
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT);
        builder.environment().putAll(variables);
        return new GuardedProcess(builder.start());
    }

    /** Waits for its end, whatever interrupts; returns its exit code, or 128 and the number of the signal that ended it. */
    public int await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sends it a signal, such as {@code INT}. */
    void pass(String signal) {
        if (signal.equals("TERM")) {
            process.destroy();
            return;
        }
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) { // no such program here: end it as the signal would
            process.destroy();
        }
    }

    /** Ends it and what it has started: by SIGTERM, and by SIGKILL what is still there after the grace. */
    public void stop(Duration grace) throws InterruptedException {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        CompletableFuture<?>[] ends = all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            Stream.concat(all.stream(), process.descendants()).forEach(ProcessHandle::destroyForcibly);
        }
    }
}
