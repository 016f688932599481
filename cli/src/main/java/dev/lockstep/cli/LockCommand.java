package dev.lockstep.cli;

import dev.lockstep.cli.locks.LeaseAnswer;
import dev.lockstep.cli.terminal.Terminal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep lock}: acquires locks over a server, and leaves them to the script. */
@Command(
        name = "lock",
        description = {
            "Acquires locks over a running server, all of them or none, and prints the lease, which 'lockstep renew' and"
                    + " 'lockstep release' continue with. It ends after its term unless it is renewed.",
            "'lockstep exec' is simpler: it renews, releases, and ends its command when the lock is lost."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  export LOCKSTEP_LEASE_ID=$(lockstep lock job:nightly --server http://127.0.0.1:7070 --term 30) || exit",
            "  ./first-half.sh && lockstep renew --server http://127.0.0.1:7070 --term 30 && ./second-half.sh",
            "  lockstep release --server http://127.0.0.1:7070"
        })
final class LockCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "1..*", paramLabel = "KEY", description = "What to lock, such as job:nightly.")
    private List<String> keys = List.of();

    @Mixin
    private LeaseMixin server = new LeaseMixin();

    @Mixin
    private TokenMixin token = new TokenMixin();

    @Option(names = "--shared", description = "Lock it shared: others may, too, but not exclusively.")
    private boolean shared;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "How long to wait for the locks; ${DEFAULT-VALUE} by default, 0 doesn't wait.")
    private double wait = 5;

    @Option(
            names = "--term",
            paramLabel = "SECONDS",
            description = "How long the lease lasts unless it is renewed; ${DEFAULT-VALUE} by default.")
    private double term = 15;

    @Option(names = "--owner", paramLabel = "NAME", description = "Who holds it, for people to read.")
    private @Nullable String owner;

    @Option(
            names = "--request-id",
            paramLabel = "ID",
            description = "The same id, after a lost answer, gets the same lease again while it lasts.")
    private @Nullable String requestId;

    LockCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Duration waiting = Seconds.of("--wait", wait);
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("keys", keys);
        request.put("mode", shared ? "shared" : "exclusive");
        request.put("waitMs", waiting.toMillis());
        request.put("leaseMs", Seconds.positive("--term", term).toMillis());
        if (owner != null) {
            request.put("owner", owner);
        }
        if (requestId != null) {
            request.put("requestId", requestId);
        }
        LeaseAnswer answer = server.locks(token.token()).acquire(request, waiting);
        return server.print(answer, answer.text("leaseId"), terminal);
    }
}
