package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** A real project directory among neighbours, none of which a project lock may touch. */
final class ProjectOnDisk {
    static final AcquireOptions ONCE = AcquireOptions.defaults().within(Duration.ZERO);

    final Path directory;
    private final Path parent;
    private final Map<String, String> neighbours;

    /** A project in a directory of the test. */
    ProjectOnDisk(Path parent) {
        this.parent = parent;
        this.directory = parent.resolve("project");
        try {
            Files.createDirectories(directory);
            Files.createDirectories(parent.resolve("neighbour"));
            Files.writeString(parent.resolve("neighbour/precious"), "not ours");
            this.neighbours = outside();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    /** Something that exists outside the project. */
    Path precious() {
        return parent.resolve("neighbour/precious");
    }

    Path record() {
        return file(LeaseFiles.RECORD);
    }

    /** Puts someone's lease into the project. */
    UUID heldUntil(long expiresAt) throws IOException {
        UUID leaseId = UUID.randomUUID();
        Files.writeString(record(), new LeaseRecord(leaseId, expiresAt).text());
        return leaseId;
    }

    void assertNothingOutsideWasTouched() throws IOException {
        assertThat(outside()).isEqualTo(neighbours);
    }

    private Map<String, String> outside() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(parent)) {
            for (Path path : (Iterable<Path>) all.filter(path -> !path.startsWith(directory))::iterator) {
                found.put(path.toString(), content(path));
            }
        }
        return found;
    }

    private static String content(Path path) throws IOException {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                ? Arrays.toString(Files.readAllBytes(path)) + Files.getLastModifiedTime(path)
                : "no file";
    }
}
