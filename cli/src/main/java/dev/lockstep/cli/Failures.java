package dev.lockstep.cli;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.LockException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Puts what went wrong into one message, and a stack trace only where it is asked for. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Terminal terminal;

    Failures(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        say(
                e instanceof UnmatchedArgumentException unknown
                        ? "Unknown: " + String.join(" ", unknown.getUnmatched())
                        : Objects.requireNonNullElse(e.getMessage(), "The command line is wrong."));
        if (!UnmatchedArgumentException.printSuggestions(e, terminal.err())) {
            terminal.err().println(synopsis(command).strip());
        }
        terminal.err().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.number();
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        boolean verbose = StoreMixin.isVerbose(parsed);
        ExitCode code = e instanceof LockException known ? ExitCode.of(known.code()) : ExitCode.BUG;
        say(code == ExitCode.BUG ? "This should not have happened: " + e : String.valueOf(e.getMessage()));
        if (verbose) {
            e.printStackTrace(terminal.err());
        } else if (code == ExitCode.BUG) {
            terminal.err().println("With --verbose there is a stack trace to report.");
        }
        return code.number();
    }

    private String synopsis(CommandLine command) {
        Help.ColorScheme colours = Help.defaultColorScheme(terminal.forErrors().ansi());
        return new Help(command.getCommandSpec(), colours).fullSynopsis();
    }

    private void say(String message) {
        terminal.err().println(terminal.forErrors().red("error: ") + message);
    }
}
