package dev.lockstep.projectlock;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A row of numbered files in a directory, of which the highest counts. A hard link makes the next one: it fails when another
 * process made it first, and a reader of the file sees all of it.
 *
 * <p>A process that was stopped long enough could make a number whose file was made before and swept away. So it looks
 * afterwards whether the file before its own is still there: files are swept from the lowest up, so then its own had
 * not been.
 */
final class Generations {
    private static final int KEPT = 16;
    private static final int LOOKS = 100;
    private static final Duration OLD = Duration.ofMinutes(5);

    private final Path directory;
    private final SafeFile safe;
    private final Steps steps;

    Generations(Path directory, SafeFile safe, Steps steps) {
        this.directory = directory;
        this.safe = safe;
        this.steps = steps;
    }

    /** The highest; empty when there is none. */
    Optional<Generation> newest() throws IOException {
        NavigableMap<Long, Path> files = files();
        for (int look = 1; look <= LOOKS && !files.isEmpty(); look++) {
            Optional<String> content = safe.read(files.lastEntry().getValue());
            if (content.isPresent()) { // else swept meanwhile, because far higher ones are there
                return Optional.of(Generation.parse(files.lastKey(), content.get()));
            }
            files = files();
        }
        if (!files.isEmpty()) {
            throw new IOException("The files in " + directory + " are listed, but gone whenever they are read");
        }
        return Optional.empty();
    }

    /** Makes the next one; returns whether this process did, and no other. */
    boolean make(Generation next) throws IOException {
        Path file = directory.resolve(Long.toString(next.number()));
        Path temporary = directory.resolve(UUID.randomUUID() + ".tmp");
        try {
            safe.write(temporary, next.content());
            steps.before("link generation");
            Files.createLink(file, temporary);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isSameFile(file, temporary)) { // a network file system may ask twice, and refuse the second time
                return false;
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
        boolean first = hadNotBeenSwept(next.number());
        if (!first) {
            Files.deleteIfExists(file);
        }
        return first;
    }

    private boolean hadNotBeenSwept(long number) throws IOException {
        return number == 1
                ? files().lastKey() <= KEPT
                : FileKeys.ifPresent(directory.resolve(Long.toString(number - 1)))
                        .isPresent();
    }

    /** Removes what no process can still need. */
    void sweep() throws IOException {
        Instant before = Instant.now().minus(OLD);
        NavigableMap<Long, Path> files = files();
        for (Path file : files.headMap(files.lastKey() - KEPT, true).values()) {
            if (!sweep(file, before)) {
                break;
            }
        }
        for (Path temporary : list("*.tmp")) {
            sweep(temporary, before);
        }
    }

    /** Returns whether the file is gone. */
    private static boolean sweep(Path file, Instant before) throws IOException {
        try {
            boolean old = Files.getLastModifiedTime(file).toInstant().isBefore(before);
            if (old) {
                Files.deleteIfExists(file);
            }
            return old;
        } catch (NoSuchFileException e) {
            return true; // another process was here first
        }
    }

    private NavigableMap<Long, Path> files() throws IOException {
        NavigableMap<Long, Path> files = new TreeMap<>();
        for (Path file : list("[1-9]*")) {
            String name = String.valueOf(file.getFileName());
            if (name.matches("[1-9][0-9]{0,17}")) {
                files.put(Long.valueOf(name), file);
            }
        }
        return files;
    }

    private List<Path> list(String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }
}
