package dev.lockstep.cli;

import dev.lockstep.cli.exec.Executable;
import dev.lockstep.cli.exec.GuardedProcess;
import dev.lockstep.cli.exec.PassedSignals;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep exec}: a command under a lock. */
@Command(
        name = "exec",
        description = {
            "Runs a command while it holds a lock, on all machines that use the store or the server. The lock is renewed while the"
                    + " command runs, and released when it ends. If the lock is lost, the command is ended: by SIGTERM, and by SIGKILL"
                    + " after the grace.",
            "The command finds the key in LOCKSTEP_KEY, the fencing token in LOCKSTEP_FENCING_TOKEN and the name of the lease in"
                    + " LOCKSTEP_LEASE. SIGTERM, SIGINT and SIGHUP are passed on to it."
        },
        customSynopsis = "lockstep exec [OPTIONS] KEY -- COMMAND [ARGUMENT...]",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0-255:that of the command; 128 and the signal's number if a signal ended it",
            "0:also if the lock was busy, with --if-busy=skip; the command was not run",
            "75:the lock was busy for the whole wait; the command was not run",
            "76:the lock was lost while the command ran; the command was ended, or had just ended",
            "126:the command can't be executed; nothing was locked",
            "127:there is no such command; nothing was locked",
            "2, 3, 4:as for every command; the command was not run"
        },
        footer = {
            "",
            "Examples:",
            "  lockstep exec job:nightly --store redis://localhost:6379 --if-busy=skip --wait 0 -- ./nightly.sh",
            "  lockstep exec deploy:web --server http://127.0.0.1:7070 --wait 60 -- make deploy"
        })
final class ExecCommand implements Callable<Integer> {
    /** What happens if the lock is busy for the whole wait. */
    enum IfBusy {
        /** The exit code says so. */
        FAIL,
        /** The exit code is 0. */
        SKIP
    }

    private final Terminal terminal;

    @Parameters(
            index = "0",
            paramLabel = "KEY",
            description = "What to lock, such as job:nightly or user:u1/account:a1.")
    private String key = "";

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "What to run, after --.")
    private List<String> command = List.of();

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private TokenMixin token = new TokenMixin();

    @Mixin
    private LockingMixin locking = new LockingMixin();

    @Option(
            names = "--if-busy",
            paramLabel = "fail|skip",
            description = "What to return then: 75, or 0. fail by default.")
    private IfBusy ifBusy = IfBusy.FAIL;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description = "How long the command may take to end when the lock is lost; ${DEFAULT-VALUE} by default.")
    private double grace = 10;

    @Option(names = "--json", description = "Report on the error stream in JSON, a line for each event.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private volatile @Nullable Thread stopping;

    ExecCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Duration patience = Seconds.of("--grace", grace);
        requireCommand();
        LockRequest request = locking.request(key, owner());
        Executable found = Executable.find(command.get(0), Optional.ofNullable(System.getenv("PATH")));
        if (found != Executable.FOUND) {
            return notRun(found);
        }
        try (PassedSignals signals = PassedSignals.open();
                LockingMixin.Place place = locking.open(store, token, spec)) {
            return run(place.locks(), request, signals, patience);
        }
    }

    /** Without it an option of the command would be taken for one of this one. */
    private void requireCommand() {
        if (!spec.commandLine().getParseResult().originalArgs().contains("--") || command.isEmpty()) {
            throw new InvalidRequestException(
                    "No command to run. Write it after --, as in: lockstep exec job:nightly -- ./nightly.sh");
        }
    }

    private String owner() {
        return "exec " + Path.of(command.get(0)).getFileName() + " (process "
                + ProcessHandle.current().pid() + ")";
    }

    private int notRun(Executable found) {
        boolean missing = found == Executable.NOT_FOUND;
        say(
                missing ? "not-found" : "not-executable",
                "'" + command.get(0) + "' " + (missing ? "is no command that can be found" : "can't be executed")
                        + ". Nothing was locked or run. Check the path and the rights of the file.",
                Map.of("exitCode", found.exitCode()));
        return found.exitCode();
    }

    private int run(Locks locks, LockRequest request, PassedSignals signals, Duration patience) {
        Attempt attempt;
        try {
            attempt = locks.tryAcquire(request);
        } catch (LockException e) {
            Optional<Integer> signalled = signals.exitCode();
            if (signalled.isPresent()) {
                return signalled.get();
            }
            throw e;
        }
        if (attempt instanceof Granted granted) {
            return runUnder(granted.lease(), signals, patience);
        }
        return busy((Busy) attempt);
    }

    private int busy(Busy busy) {
        int code = ifBusy == IfBusy.SKIP ? ExitCode.OK.number() : ExitCode.BUSY.number();
        say(
                "busy",
                busy.key() + " is busy: " + busy.blockers() + ". The command was not run.",
                Map.of("blockedBy", busy.blockers().toString(), "exitCode", code));
        return code;
    }

    private int runUnder(Lease lease, PassedSignals signals, Duration patience) {
        GuardedProcess process;
        int code;
        try {
            Map<String, String> variables = Map.of(
                    "LOCKSTEP_KEY",
                    key,
                    "LOCKSTEP_FENCING_TOKEN",
                    lease.token().toString(),
                    "LOCKSTEP_LEASE",
                    lease.id().toString());
            process = GuardedProcess.start(command, variables, "LOCKSTEP_LEASE");
            signals.to(process);
            if (json) {
                say(
                        "acquired",
                        "",
                        Map.of(
                                "token",
                                lease.token().toString(),
                                "lease",
                                lease.id().toString()));
            }
            CompletionStage<Void> unused = lease.lost().thenAccept(loss -> endWhenLost(process, loss, patience));
            code = process.await();
        } catch (IOException e) {
            lease.release();
            return notRun(Executable.NOT_EXECUTABLE);
        }
        boolean held = lease.release() == ReleaseOutcome.RELEASED;
        if (held && stopping == null) {
            return ended(true, code);
        }
        awaitEnd(stop(process, patience)); // the loss may not have been reported yet
        return ended(false, code);
    }

    private int ended(boolean held, int code) {
        if (held) {
            if (json) {
                say("ended", "", Map.of("exitCode", code));
            }
            return code;
        }
        say(
                "lost",
                key + " was lost before the command had ended: another holder may have run at the same time."
                        + " The command ended with " + code + ".",
                Map.of("exitCode", ExitCode.LOST.number(), "commandExitCode", code));
        return ExitCode.LOST.number();
    }

    /** What the command has started may still be ending: without this process nothing would kill it. */
    private static void awaitEnd(Thread ending) {
        boolean interrupted = false;
        while (true) {
            try {
                ending.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void endWhenLost(GuardedProcess process, Loss loss, Duration patience) {
        say("losing", "The lock is lost: " + loss + ". Ending the command.", Map.of("reason", loss.toString()));
        Thread unused = stop(process, patience);
    }

    /** The thread that ends the command, started once. */
    private synchronized Thread stop(GuardedProcess process, Duration patience) {
        Thread thread = stopping;
        if (thread == null) {
            thread = new Thread(
                    () -> {
                        try {
                            process.stop(patience);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "lockstep-exec-stop");
            thread.setDaemon(true);
            stopping = thread; // before it can end the command
            thread.start();
        }
        return thread;
    }

    private synchronized void say(String event, String text, Map<String, @Nullable Object> facts) {
        if (json) {
            terminal.err().println(ExecEvent.line(event, key, text, facts));
        } else {
            terminal.err().println(terminal.forErrors().red("lockstep exec: ") + text);
        }
    }
}
