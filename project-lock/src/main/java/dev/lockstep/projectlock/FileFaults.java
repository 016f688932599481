package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_OPEN_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_READ_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Says which failure of the project lock a fault of its files is, and where.
 *
 * @param project the directory they are in
 */
record FileFaults(Path project) {

    /** Something with files that may fail, or not get its turn. */
    @FunctionalInterface
    interface FileWork<T> {
        T run() throws IOException, GuardBusyException;
    }

    /** Something that only reads. */
    @FunctionalInterface
    interface FileLook<T> {
        T run() throws IOException;
    }

    /** Takes the project: files that can't be made at all fail it for good. That the platform has no locks is no fault of them. */
    LeaseTransactions.Attempted taking(FileWork<LeaseTransactions.Attempted> work)
            throws PlatformLockUnavailableException {
        try {
            return work.run();
        } catch (PlatformLockUnavailableException e) {
            throw e;
        } catch (GuardBusyException e) {
            return new LeaseTransactions.Attempted.Refused(
                    new ProjectLockException(ACQUIRE_TIMEOUT, String.valueOf(e.getMessage()), e));
        } catch (IOException e) {
            throw isForGood(e)
                    ? new ProjectLockException(
                            FALLBACK_OPEN_FAILED,
                            "The lease files can't be made in " + project + ": " + describe(e)
                                    + ". Let this process create files there, and remove what is in their place and is no"
                                    + " file.",
                            e)
                    : notWritten(e);
        }
    }

    /** Changes a lease that is held. */
    <T> T changing(FileWork<T> work) {
        try {
            return work.run();
        } catch (GuardBusyException e) {
            throw new ProjectLockException(FALLBACK_WRITE_FAILED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    /** Reads inside a transaction. */
    <T> T reading(FileLook<T> look) throws NotAFileException {
        try {
            return look.run();
        } catch (NotAFileException e) {
            throw e;
        } catch (IOException e) {
            throw new ProjectLockException(
                    FALLBACK_READ_FAILED,
                    "The lease files can't be read in " + project + ": " + describe(e)
                            + ". Look at their permissions and at the disk.",
                    e);
        }
    }

    private ProjectLockException notWritten(IOException e) {
        return new ProjectLockException(
                FALLBACK_WRITE_FAILED,
                "The lease files can't be changed in " + project + ": " + describe(e)
                        + ". What they said before still holds. Look at the disk's space and the directory's permissions.",
                e);
    }

    private static boolean isForGood(IOException e) {
        return e instanceof AccessDeniedException
                || e instanceof NoSuchFileException
                || e instanceof NotAFileException
                || e instanceof DirectoryNotEmptyException
                || (e instanceof FileSystemException fault
                        && fault.getReason() != null
                        && fault.getReason().contains("Read-only file system"));
    }

    private static String describe(IOException e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    ProjectLockException unreadable(Duration term) {
        return new ProjectLockException(
                FALLBACK_READ_FAILED,
                "The file " + record()
                        + " holds no lease, so the project's holder is unknown. It is replaced once no process has"
                        + " changed it for a term, which is " + term.toMillis()
                        + " ms unless the last holder's was longer. Try again then.");
    }

    ProjectLockException replaced() {
        return new ProjectLockException(
                FALLBACK_READ_FAILED,
                "The file " + record() + " held no lease, and had not changed for a term. It was replaced.");
    }

    private Path record() {
        return project.resolve(LeaseFiles.RECORD);
    }

    ProjectLockException held(LeaseFileState found) {
        String until = found.record()
                .map(record -> " until " + Instant.ofEpochMilli(record.expiresAt()) + " unless it is renewed")
                .orElse("");
        return new ProjectLockException(
                ACQUIRE_TIMEOUT,
                "The project " + project + " is held by " + found.name() + until + ". Try again, or wait longer.");
    }
}
