package dev.lockstep.cli.exec;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a command can be run, found out before anything is locked for it, in the way of a shell. */
public enum Executable {
    /** There is such a program. */
    FOUND(0),
    /** There is such a file, but it may not be executed, or is a directory. */
    NOT_EXECUTABLE(126),
    /** There is none. */
    NOT_FOUND(127);

    private final int exitCode;

    Executable(int exitCode) {
        this.exitCode = exitCode;
    }

    /** What a shell returns for it. */
    public int exitCode() {
        return exitCode;
    }

    /** Looks a command up: as a file if it has a slash, else in the folders of the search path. */
    public static Executable find(String command, Optional<String> searchPath) {
        try {
            return command.indexOf('/') >= 0
                    ? of(Path.of(command))
                    : Stream.of(searchPath.orElse("").split(File.pathSeparator, -1))
                            .map(folder -> of(Path.of(folder.isEmpty() ? "." : folder, command)))
                            .min(Enum::compareTo)
                            .orElse(NOT_FOUND);
        } catch (InvalidPathException e) {
            return NOT_FOUND;
        }
    }

    private static Executable of(Path file) {
        if (Files.isRegularFile(file) && Files.isExecutable(file)) {
            return FOUND;
        }
        return Files.exists(file) ? NOT_EXECUTABLE : NOT_FOUND;
    }
}
