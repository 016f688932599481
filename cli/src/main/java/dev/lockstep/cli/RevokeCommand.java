package dev.lockstep.cli;

import dev.lockstep.cli.locks.ServerSnapshotSource;
import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep revoke}: ends the lease of a server's client on purpose. */
@Command(
        name = "revoke",
        description = {
            "Ends a lease that a client holds over a server, in place of its owner. The locks are free at once; the owner gets the"
                    + " reason when it next renews or releases, and the server's log has a line about it.",
            "It needs a token with the right admin. The owner may still be at work: fencing tokens keep its late writes out."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  lockstep locks --server http://127.0.0.1:7070 --json    # shows the names of leases",
            "  lockstep revoke s-4f9a21c7b0.5b0f8ed2-0000-0000-0000-000000000001 \\",
            "      --server http://127.0.0.1:7070 --reason \"the worker hangs, ticket 4711\""
        })
final class RevokeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            paramLabel = "LEASE",
            description = "The name of the lease, as 'lockstep locks --json' and the page show it.")
    private String lease = "";

    @Option(
            names = "--server",
            paramLabel = "URL",
            required = true,
            description = "A running server on the store, such as http://127.0.0.1:7070.")
    private String server = "";

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            required = true,
            description = "Why, in up to 200 characters; for the owner and the log.")
    private String reason = "";

    @Mixin
    private TokenMixin token = new TokenMixin();

    RevokeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ServerSnapshotSource.at(server, token.token()).revoke(lease, reason);
        terminal.entry(Mark.GOOD, "The lease " + lease + " has ended, and its locks are free.", "");
        return ExitCode.OK.number();
    }
}
