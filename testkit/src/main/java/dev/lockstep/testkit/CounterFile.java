package dev.lockstep.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** The file of eight bytes in which an {@link ExclusionChecker} counts the exclusive sections of one key. */
final class CounterFile {
    private CounterFile() {}

    private static Path path(Path directory, String key) {
        return directory.resolve(UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)) + ".counter");
    }

    static MappedByteBuffer map(Path directory, String key) throws IOException {
        try (FileChannel file = FileChannel.open(
                path(directory, key), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        }
    }

    /** The count; zero when the key was never counted. */
    static long read(Path directory, String key) throws IOException {
        Path file = path(directory, key);
        return Files.exists(file) ? ByteBuffer.wrap(Files.readAllBytes(file)).getLong() : 0;
    }
}
