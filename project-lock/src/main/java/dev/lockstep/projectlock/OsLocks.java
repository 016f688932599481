package dev.lockstep.projectlock;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operating system's lock of a project, on its file {@code .lock.os}. It is gone with the process, however that ends, and
 * that is what it is for: the record of a dead holder need not be waited for.
 */
final class OsLocks implements PlatformLocks {
    private static final Logger LOG = LoggerFactory.getLogger(OsLocks.class);

    private static final String MARK = "lock ";

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
            throw new PlatformLockUnavailableException(
                    "The operating system gives no lock on " + file + " (" + e + ")", e);
        }
    }

    /** Opens no file whose lock this JVM holds: closing it again would give that lock away. */
    private Optional<PlatformLock> lock() throws IOException {
        Optional<String> known = SafeFile.isFile(file) ? FileKeys.ifPresent(file) : Optional.empty();
        if (known.filter(key -> JvmSharedState.isTaken(MARK + key)).isPresent()) {
            return Optional.empty();
        }
        FileChannel channel = FileChannel.open(file, CREATE, WRITE, NOFOLLOW_LINKS);
        Optional<PlatformLock> held = Optional.empty();
        try {
            if (channel.tryLock() != null) {
                held = Optional.of(held(channel));
            }
        } catch (OverlappingFileLockException e) {
            LOG.warn("Something else in this JVM has locked {}", file);
        } finally {
            if (held.isEmpty()) {
                channel.close();
            }
        }
        return held;
    }

    private PlatformLock held(FileChannel channel) throws IOException {
        String mark = MARK + FileKeys.of(file);
        UUID holder = UUID.randomUUID();
        JvmSharedState.take(mark, holder);
        return () -> {
            close(channel);
            JvmSharedState.free(mark, holder);
        };
    }

    /** Any close of any channel of the file, by whatever code in the holder's process, gives the lock away. */
    @Override
    public boolean provesDeath() {
        return false;
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
