package dev.lockstep.cli;

import dev.lockstep.core.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with a secret on its first line. */
final class SecretFile {
    private SecretFile() {}

    /** The secret; the flag is named in what goes wrong, and never the secret. */
    static String read(String flag, Path file) {
        try {
            return Files.readString(file)
                    .lines()
                    .findFirst()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .orElseThrow(() -> new InvalidRequestException(
                            flag + " " + file + " has an empty first line. Write the secret there."));
        } catch (IOException e) {
            throw new InvalidRequestException(flag + " " + file + " can't be read ("
                    + e.getClass().getSimpleName() + "). Name a text file with the secret on its first line.");
        }
    }
}
