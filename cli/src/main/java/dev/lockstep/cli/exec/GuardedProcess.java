package dev.lockstep.cli.exec;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A command that runs under a lock, with the input and output of this process. */
public final class GuardedProcess {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration UNKILLABLE = Duration.ofSeconds(5);

    private final Process process;
    private final StartedProcesses started;

    private GuardedProcess(Process process, StartedProcesses started) {
        this.process = process;
        this.started = started;
    }

    /**
     * Starts a command with more variables in its environment.
     *
     * @param mark the variable by whose value its processes are known; no other command may have the same
     * @throws IOException if it can't be executed
     */
    public static GuardedProcess start(List<String> command, Map<String, String> variables, String mark)
            throws IOException {
        String value = Objects.requireNonNull(variables.get(mark), mark);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.INHERIT)
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT);
        builder.environment().putAll(variables);
        Process process = builder.start();
        return new GuardedProcess(process, new StartedProcesses(process.toHandle(), mark, value));
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
        if (!process.isAlive()) {
            return; // its number may be another process's by now
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

    /**
     * Ends it and what it has started, also what is started meanwhile: by SIGTERM, and by SIGKILL what is still there after the grace. Returns when
     * nothing is left, or some time after SIGKILL if the system doesn't end it.
     */
    public void stop(Duration grace) throws InterruptedException {
        long graceEnd = System.nanoTime() + grace.toNanos();
        Set<ProcessHandle> asked = new HashSet<>();
        for (Set<ProcessHandle> left = started.running(); !left.isEmpty(); left = started.running()) {
            long over = System.nanoTime() - graceEnd;
            if (over > UNKILLABLE.toNanos()) {
                return;
            }
            for (ProcessHandle each : left) {
                if (over >= 0) {
                    each.destroyForcibly();
                } else if (asked.add(each)) {
                    each.destroy();
                }
            }
            Thread.sleep(LOOK.toMillis());
        }
    }
}
