package dev.lockstep.projectlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Names files by what they are, not where: one file has one key, however it is reached. */
final class FileKeys {
    private FileKeys() {}

    /** The device and inode; the real path where the file system has no such thing. */
    static String of(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
        return key != null ? key.toString() : file.toRealPath().toString();
    }

    /** The same; empty when there is no file. */
    static Optional<String> ifPresent(Path file) throws IOException {
        try {
            return Optional.of(of(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
