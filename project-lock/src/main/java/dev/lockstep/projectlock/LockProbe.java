package dev.lockstep.projectlock;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out whether the operating system's locks work on a file system. */
@FunctionalInterface
interface LockProbe {
    boolean osLocksWork(Path directory) throws IOException;

    /** Locks its own file, in the directory itself. */
    static boolean byTrying(Path directory) throws IOException {
        Path file = directory.resolve(".lock." + UUID.randomUUID() + ".probe");
        try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE, DELETE_ON_CLOSE)) {
            return locks(channel, directory);
        }
    }

    private static boolean locks(FileChannel channel, Path directory) {
        Logger log = LoggerFactory.getLogger(LockProbe.class);
        try (FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (IOException e) {
            log.debug("The operating system's locks don't work in {}", directory, e);
            return false;
        }
    }
}
