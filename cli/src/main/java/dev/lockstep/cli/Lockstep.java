package dev.lockstep.cli;

import dev.lockstep.cli.terminal.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code lockstep} command. */
@Command(
        name = "lockstep",
        description = "Serves, proves, prepares and watches locks, on your own database, Redis or etcd.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            ServeCommand.class,
            VerifyCommand.class,
            DoctorCommand.class,
            ProvisionCommand.class,
            SizeCommand.class,
            LocksCommand.class,
            ExecCommand.class,
            LockCommand.class,
            RenewCommand.class,
            ReleaseCommand.class,
            RevokeCommand.class,
            InventoryCommand.class,
            AutoComplete.GenerateCompletion.class,
            HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, and all is as it should be",
            "1:something is not as it should be: a behaviour, a finding, missing rows; or not all was tried",
            "2:the command line is wrong",
            "3:the store can't be reached",
            "4:the store refused: rights, missing tables, another product; or a port or folder is in use",
            "5:no lock was seen, because what other processes hold can't be seen there",
            "70:a mistake of this program",
            "75:another holder had the lock for the whole wait; nothing is held",
            "76:the lock was lost, or the lease had ended",
            "130:ended by Ctrl-C"
        })
public final class Lockstep implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Lockstep() {}

    /** Runs the command and ends the process with its {@link ExitCode}. */
    public static void main(String[] args) {
        System.exit(run(Terminal.ofProcess(), args));
    }

    static int run(Terminal terminal, String... args) {
        return commandLine(terminal).execute(args);
    }

    static CommandLine commandLine(Terminal terminal) {
        Failures failures = new Failures(terminal);
        CommandLine command = new CommandLine(new Lockstep(), new Commands(terminal));
        command.getSubcommands().values().forEach(each -> each.getCommandSpec().versionProvider(new Version()));
        return command.setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.ansi()))
                .setUsageHelpWidth(terminal.columns())
                .setUsageHelpLongOptionsMaxWidth(30)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }
}
