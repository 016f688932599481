package dev.lockstep.server.locks.restart;

import dev.lockstep.spring.LockstepStartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that says that a memory store runs. One that is still there at the start shows an unclean stop, or a clean one while clients held
 * leases: nothing is granted until those have ended. The folder is locked as long as the server runs.
 */
public final class RunMarker implements RunNote {
    private static final Pattern FORM = Pattern.compile("(running|stopped) ([0-9]{1,15})\\s*");

    private final Path folder;
    private final Path marker;
    private final Duration longestLease;
    private final FileChannel lock;
    private final Duration closedFor;

    private RunMarker(Path folder, Duration longestLease, FileChannel lock) throws IOException {
        this.folder = folder;
        this.longestLease = longestLease;
        this.lock = lock;
        marker = folder.resolve("running");
        closedFor = read();
    }

    public static RunMarker open(Path folder, Duration longestLease) {
        try {
            Files.createDirectories(folder);
            return new RunMarker(folder, longestLease, locked(folder));
        } catch (IOException e) {
            throw new LockstepStartException(
                    "lockstep.server.data names " + folder + ", which can't be used: " + e + ".",
                    "Name a folder that this server may write to, or leave it out.",
                    e);
        }
    }

    private static FileChannel locked(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(channel)) {
            channel.close();
            throw new LockstepStartException(
                    "Another server runs on " + folder + ", which lockstep.server.data names.",
                    "Stop it first, or give each server its own folder.");
        }
        return channel;
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) { // by another server in this process
            return false;
        }
    }

    /** What can't be read counts as an unclean stop. */
    private Duration read() throws IOException {
        String text;
        try {
            text = Files.readString(marker, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Duration.ZERO;
        }
        Matcher note = FORM.matcher(text);
        if (!note.matches()) {
            return longestLease;
        }
        Duration noted = Duration.ofMillis(Long.parseLong(note.group(2)));
        return note.group(1).equals("stopped") || noted.compareTo(longestLease) > 0 ? noted : longestLease;
    }

    @Override
    public Duration closedFor() {
        return closedFor;
    }

    /** Also keeps in mind what was noted before, for the case that this run ends unclean as well. */
    @Override
    public void running() {
        write("running", longestLease.compareTo(closedFor) > 0 ? longestLease : closedFor);
    }

    @Override
    public void stopped(Duration left) {
        if (left.isZero() || left.isNegative()) {
            remove();
        } else {
            write("stopped", left);
        }
    }

    private void write(String state, Duration time) {
        Path draft = folder.resolve("running.new");
        try {
            try (FileChannel file = FileChannel.open(
                    draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer text =
                        ByteBuffer.wrap((state + " " + time.toMillis() + "\n").getBytes(StandardCharsets.ISO_8859_1));
                while (text.hasRemaining()) {
                    file.write(text);
                }
                file.force(true);
            }
            Files.move(draft, marker, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceFolder();
        } catch (IOException e) {
            throw new UncheckedIOException("The run can't be noted in " + marker, e);
        }
    }

    private void remove() {
        try {
            Files.deleteIfExists(marker);
            forceFolder();
        } catch (IOException e) {
            throw new UncheckedIOException("The note of the run can't be removed: " + marker, e);
        }
    }

    private void forceFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The lock of " + folder + " can't be closed", e);
        }
    }
}
