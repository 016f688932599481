package dev.lockstep.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The token of a server. */
final class TokenMixin {
    @Option(
            names = "--token",
            defaultValue = "${env:LOCKSTEP_TOKEN}",
            description =
                    "The server's access token. Better the variable LOCKSTEP_TOKEN or --token-file, which aren't seen in the list of processes.")
    private @Nullable String token;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:LOCKSTEP_TOKEN_FILE}",
            description = "A file whose first line is the token; the variable LOCKSTEP_TOKEN_FILE names it, too.")
    private @Nullable Path file;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /** The token, unless there is none. A flag wins over both variables. */
    Optional<String> token() {
        if (GivenFlags.first(command, "--token", "--token-file")
                || file == null
                || file.toString().isEmpty()) {
            return Optional.ofNullable(token).filter(text -> !text.isBlank());
        }
        return Optional.of(SecretFile.read("--token-file", file));
    }
}
