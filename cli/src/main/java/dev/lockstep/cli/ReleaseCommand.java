package dev.lockstep.cli;

import dev.lockstep.cli.locks.LeaseAnswer;
import dev.lockstep.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lockstep release}: releases a lease of {@code lockstep lock}. */
@Command(
        name = "release",
        description =
                "Releases a lease of 'lockstep lock'. 76: it had ended before, so another holder may have run meanwhile.",
        mixinStandardHelpOptions = true)
final class ReleaseCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private LeaseMixin.Id lease = new LeaseMixin.Id();

    @Mixin
    private LeaseMixin server = new LeaseMixin();

    @Mixin
    private TokenMixin token = new TokenMixin();

    ReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        LeaseAnswer answer = server.locks(token.token()).release(lease.required());
        return server.print(answer, "Released.", terminal);
    }
}
