package dev.lockstep.cli;

import dev.lockstep.cli.locks.LeaseAnswer;
import dev.lockstep.cli.locks.ServerLocks;
import dev.lockstep.cli.locks.ServerSnapshotSource;
import dev.lockstep.cli.terminal.Json;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a command for a lease of a server. */
final class LeaseMixin {
    /** The lease, which is a secret and so better in the variable. */
    static final class Id {
        @Parameters(
                arity = "0..1",
                paramLabel = "LEASE",
                defaultValue = "${env:LOCKSTEP_LEASE_ID}",
                description =
                        "What 'lockstep lock' has printed. Better in the variable LOCKSTEP_LEASE_ID, which isn't seen in the list of processes.")
        private @Nullable String lease;

        String required() {
            if (lease == null || lease.isBlank()) {
                throw new InvalidRequestException(
                        "Which lease? Set the variable LOCKSTEP_LEASE_ID to what 'lockstep lock' has printed.");
            }
            return lease.strip();
        }
    }

    @Option(
            names = "--server",
            paramLabel = "URL",
            required = true,
            description = "A running server, such as http://127.0.0.1:7070.")
    private String server = "";

    @Option(names = "--json", description = "Print the server's answer as JSON.")
    private boolean json;

    ServerLocks locks(Optional<String> token) {
        return new ServerLocks(ServerSnapshotSource.at(server, token));
    }

    /** Prints an answer, and says which exit code it has. */
    int print(LeaseAnswer answer, String done, Terminal terminal) {
        if (json) {
            terminal.out().println(Json.of(answer.body()));
        } else if (answer.code().isEmpty()) {
            terminal.out().println(done);
        } else {
            terminal.err().println(terminal.forErrors().red("lockstep: ") + answer.text("detail"));
        }
        return exitCode(answer).number();
    }

    private static ExitCode exitCode(LeaseAnswer answer) {
        if (answer.code().isEmpty()) {
            return ExitCode.OK;
        }
        return answer.isBusy() ? ExitCode.BUSY : ExitCode.LOST;
    }
}
