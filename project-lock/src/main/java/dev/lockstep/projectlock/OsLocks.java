package dev.lockstep.projectlock;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operating system's lock of a project, on its file {@code .lock.os}. It is gone with the process, however that ends, and
 * that is what it is for: the record of a dead holder need not be waited for.
 */
final class OsLocks implements PlatformLocks {
    private static final Logger LOG = LoggerFactory.getLogger(OsLocks.class);

    private final Path file;
    private final GuardedDirectory guarded;

    OsLocks(Path project, GuardedDirectory guarded) {
        this.file = project.resolve(".lock.os");
        this.guarded = guarded;
    }

    @Override
    public Optional<PlatformLock> tryLock() throws PlatformLockUnavailableException {
        guarded.requireOsLocks();
        try {
            return lock();
        } catch (IOException e) {
            throw new PlatformLockUnavailableException("The operating system gives no lock on " + file, e);
        }
    }

    /** Opens no file whose lock this JVM holds: closing it again would give that lock away. */
    private Optional<PlatformLock> lock() throws IOException {
        if (Files.exists(file, NOFOLLOW_LINKS) && JvmWide.isHeld(FileKeys.of(file))) {
            return Optional.empty();
        }
        FileChannel channel = FileChannel.open(file, CREATE, WRITE, NOFOLLOW_LINKS);
        boolean locked = false;
        try {
            FileLock lock = channel.tryLock();
            locked = lock != null;
        } catch (OverlappingFileLockException e) {
            LOG.warn("Something else in this JVM has locked {}", file);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        return locked ? Optional.of(held(channel)) : Optional.empty();
    }

    private PlatformLock held(FileChannel channel) throws IOException {
        String key = FileKeys.of(file);
        JvmWide.held(key);
        AtomicBoolean released = new AtomicBoolean();
        return () -> {
            if (released.compareAndSet(false, true)) {
                close(channel);
                JvmWide.released(key);
            }
        };
    }

    private void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("The lock on {} is gone, but its file could not be closed", file, e);
        }
    }

    /** The one who outlived its lease keeps a lock on a file that is no longer there. */
    @Override
    public Optional<PlatformLock> steal() throws PlatformLockUnavailableException {
        try {
            Files.deleteIfExists(file);
            return lock();
        } catch (IOException e) {
            LOG.debug("The file {} can't be replaced while it is locked", file, e);
            return Optional.empty();
        }
    }
}
