package dev.lockstep.projectlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What a project's record says to whoever reads it, without any lock. */
final class Records {
    private Records() {}

    /** The record; empty when there is none. */
    static Optional<LeaseRecord> in(Path project) throws IOException {
        try {
            String text = Files.readString(project.resolve(LeaseFiles.RECORD));
            return Optional.of(LeaseRecord.parse(text).orElseThrow(() -> new IOException("no record: " + text)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
