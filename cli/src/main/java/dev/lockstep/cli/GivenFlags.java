package dev.lockstep.cli;

import dev.lockstep.core.InvalidRequestException;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The flags that stand on the command line of a command; what variables say is not among them. */
final class GivenFlags {
    private GivenFlags() {}

    /** What would be ignored is refused: whoever wrote it believes in it. */
    static void refuse(CommandSpec command, String why, String... names) {
        Stream.of(names)
                .filter(command.commandLine().getParseResult()::hasMatchedOption)
                .findFirst()
                .ifPresent(name -> {
                    throw new InvalidRequestException(why + ". Leave " + name + " out.");
                });
    }
}
