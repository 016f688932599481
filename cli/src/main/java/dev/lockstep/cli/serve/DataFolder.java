package dev.lockstep.cli.serve;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The folder of a server that keeps its stock in files. */
record DataFolder(Path path) {
    private static final String DATABASE = "stock";

    /** The folder, made if it is missing. */
    DataFolder made() {
        if (path.toString().contains(";")) {
            throw new InvalidRequestException("The data folder " + path
                    + " has a ';' in its name, which the database can't use. Choose another with --data DIR.");
        }
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw unusable(e);
        }
        if (!Files.isWritable(path)) {
            throw unusable(null);
        }
        return this;
    }

    private LockException unusable(@Nullable IOException cause) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                "The data folder " + path
                        + " can't be made or written to. Choose another with --data DIR, or let the user write"
                        + " there.",
                List.of(),
                cause);
    }

    /** What is acknowledged must be in the file: without a write delay of zero H2 writes half a second later. */
    String databaseUrl() {
        return "jdbc:h2:file:" + path.toAbsolutePath().normalize().resolve(DATABASE)
                + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    }
}
