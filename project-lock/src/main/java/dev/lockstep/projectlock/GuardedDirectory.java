package dev.lockstep.projectlock;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The lease files of a project directory, guarded in one of two ways. Which one is fixed per project, by what
 * {@code .lock.guard} is: a file to lock, or, where the operating system's locks don't work, a directory of hard links. The
 * file system lets only one of the two be made, so all processes agree.
 */
final class GuardedDirectory implements LeaseFiles {
    static final String GUARD = ".lock.guard";

    private final Path project;
    private final LockProbe probe;
    private final LeaseFiles locked;
    private final LeaseFiles linked;
    private volatile @Nullable LeaseFiles chosen;

    GuardedDirectory(Path project, LockProbe probe, Steps steps) {
        this.project = project;
        this.probe = probe;
        this.locked = new LockedFiles(project, new SafeFile(steps), steps);
        this.linked = new LinkedFiles(project, new SafeFile(steps), steps);
    }

    @Override
    public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
        try {
            return chosen().transact(wait, transaction);
        } catch (PlatformLockUnavailableException e) {
            throw e;
        } catch (IOException e) {
            chosen = null; // the other way may have been made since it was looked for
            throw e;
        }
    }

    /** Fails unless this project is guarded by the operating system's locks. Called inside a transaction. */
    void requireOsLocks() throws PlatformLockUnavailableException {
        if (chosen == linked) {
            throw new PlatformLockUnavailableException(
                    "The project in " + project
                            + " is guarded by hard links, because somewhere the operating system's locks"
                            + " don't work on its file system",
                    null);
        }
    }

    private LeaseFiles chosen() throws IOException {
        LeaseFiles known = chosen;
        if (known == null) {
            known = choose();
            chosen = known;
        }
        return known;
    }

    private LeaseFiles choose() throws IOException {
        Path guard = project.resolve(GUARD);
        if (isLinked(guard)) {
            return linked;
        }
        if (probe.osLocksWork(project)) {
            return locked;
        }
        try {
            Files.createDirectory(guard);
            return linked;
        } catch (FileAlreadyExistsException e) {
            if (isLinked(guard)) {
                return linked;
            }
            throw new NotAFileException(
                    guard + " is locked by processes for which the operating system's locks work, and for"
                            + " this one they don't. Mount the file system with locks, or end those processes and remove the file");
        }
    }

    /** One look, since another process may be making it: a directory, a file or nothing; anything else is refused. */
    private static boolean isLinked(Path guard) throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(guard, BasicFileAttributes.class, NOFOLLOW_LINKS);
            if (!found.isDirectory() && !found.isRegularFile()) {
                throw new NotAFileException(guard + " is no file");
            }
            return found.isDirectory();
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
