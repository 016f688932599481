package dev.lockstep.projectlock;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes small files so that a crash at any step leaves the old text or the new one, and follows no links out. */
final class SafeFile {
    private static final Logger LOG = LoggerFactory.getLogger(SafeFile.class);

    /** Far more than a lease needs; what is longer is none. */
    private static final int LONGEST = 4_096;

    private final Steps steps;

    SafeFile(Steps steps) {
        this.steps = steps;
    }

    /** The text; empty when there is no file. That one can't look is not the same, and fails. */
    Optional<String> read(Path file) throws IOException {
        try {
            return isFile(file) ? Optional.of(content(file)) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Whether there is a file; anything else in its place fails, before opening it follows a link or waits at a pipe. */
    static boolean isFile(Path file) throws IOException {
        try {
            if (Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS)
                    .isRegularFile()) {
                return true;
            }
        } catch (NoSuchFileException e) {
            return false;
        }
        throw new NotAFileException(file + " is no file");
    }

    /** What is too long is marked so, and then is no lease. */
    private static String content(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, READ, NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            return new String(bytes, StandardCharsets.UTF_8) + (bytes.length > LONGEST ? "..." : "");
        }
    }

    /** Writes the text to the temporary, to the disk, and then into its place. The directory is not synced yet. */
    void replace(Path file, Path temporary, String text) throws IOException {
        write(temporary, text);
        steps.before("move to " + file.getFileName());
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void write(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        steps.before("create " + file.getFileName());
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE)) {
            write(channel, ByteBuffer.wrap(bytes, 0, bytes.length / 2));
            steps.before("second half of " + file.getFileName());
            write(channel, ByteBuffer.wrap(bytes, bytes.length / 2, bytes.length - bytes.length / 2));
            steps.before("sync " + file.getFileName());
            channel.force(true);
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    void delete(Path file) throws IOException {
        steps.before("delete " + file.getFileName());
        Files.deleteIfExists(file);
    }

    /**
     * Makes moves and deletions in a directory outlast a power cut. A failure is no failure of the change, which every process
     * sees already, and after a power cut no holder is left.
     */
    void sync(Path directory) {
        steps.before("sync the directory");
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        } catch (IOException e) {
            LOG.debug("The directory {} could not be synced", directory, e);
        }
    }
}
