package dev.lockstep.cli;

import dev.lockstep.core.InvalidRequestException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The flags that stand on the command line of a command; what variables say is not among them. */
final class GivenFlags {
    private GivenFlags() {}

    /** What would be ignored is refused: the user expects an effect. */
    static void refuse(CommandSpec command, String why, String... names) {
        Stream.of(names)
                .filter(command.commandLine().getParseResult()::hasMatchedOption)
                .findFirst()
                .ifPresent(name -> {
                    throw new InvalidRequestException(why + ". Leave " + name + " out.");
                });
    }

    /** Whether the first of two flags that say the same is given; both are refused. */
    static boolean first(@Nullable CommandSpec command, String one, String other) {
        boolean given = isGiven(command, one);
        if (given && isGiven(command, other)) {
            throw new InvalidRequestException(one + " and " + other + " are both given. Leave one of them out.");
        }
        return given;
    }

    static boolean isGiven(@Nullable CommandSpec command, String name) {
        return command != null && command.commandLine().getParseResult().hasMatchedOption(name);
    }
}
