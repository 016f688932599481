package dev.lockstep.cli;

import dev.lockstep.cli.locks.LeaseAnswer;
import dev.lockstep.cli.terminal.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep renew}: extends a lease of {@code lockstep lock}. */
@Command(
        name = "renew",
        description =
                "Has a lease of 'lockstep lock' last at least this long from now on. 76: it had ended; stop what it protects.",
        mixinStandardHelpOptions = true)
final class RenewCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private LeaseMixin.Id lease = new LeaseMixin.Id();

    @Mixin
    private LeaseMixin server = new LeaseMixin();

    @Mixin
    private TokenMixin token = new TokenMixin();

    @Option(
            names = "--term",
            paramLabel = "SECONDS",
            description = "How long it lasts from now on, at least; ${DEFAULT-VALUE} by default.")
    private double term = 15;

    RenewCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Duration length = Seconds.positive("--term", term);
        LeaseAnswer answer = server.locks(token.token()).renew(lease.required(), length);
        return server.print(answer, "Held until " + answer.text("expiresAt") + ".", terminal);
    }
}
