package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_OPEN_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_READ_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;

/** Says which failure of the project lock a fault of its files is. */
final class FileFaults {
    private FileFaults() {}

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

    /** Takes the project: files that can't be made at all fail it for good. */
    static TakeAnswer taking(FileWork<TakeAnswer> work) {
        try {
            return work.run();
        } catch (GuardBusyException e) {
            return new TakeAnswer.Refused(new ProjectLockException(ACQUIRE_TIMEOUT, String.valueOf(e.getMessage()), e));
        } catch (IOException e) {
            throw isForGood(e)
                    ? new ProjectLockException(
                            FALLBACK_OPEN_FAILED,
                            "The lease file can't be made: " + describe(e)
                                    + ". Let this process create files in the project's directory, and remove what is in the"
                                    + " place of .lock if it is no file.",
                            e)
                    : notWritten(e);
        }
    }

    /** Changes a lease that is held. */
    static <T> T changing(FileWork<T> work) {
        try {
            return work.run();
        } catch (GuardBusyException e) {
            throw new ProjectLockException(FALLBACK_WRITE_FAILED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    /** Reads inside a transaction. */
    static <T> T reading(FileLook<T> look) throws NotAFileException {
        try {
            return look.run();
        } catch (NotAFileException e) {
            throw e;
        } catch (IOException e) {
            throw new ProjectLockException(
                    FALLBACK_READ_FAILED, "The lease file can't be read: " + describe(e) + ".", e);
        }
    }

    private static ProjectLockException notWritten(IOException e) {
        return new ProjectLockException(
                FALLBACK_WRITE_FAILED,
                "The lease file can't be changed: " + describe(e)
                        + ". What it said before still holds. Look at the disk's space and the directory's permissions.",
                e);
    }

    private static boolean isForGood(IOException e) {
        return e instanceof AccessDeniedException
                || e instanceof NoSuchFileException
                || e instanceof NotAFileException
                || (e instanceof FileSystemException fault
                        && fault.getReason() != null
                        && fault.getReason().contains("Read-only file system"));
    }

    private static String describe(IOException e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    static ProjectLockException unreadable(Duration term) {
        return new ProjectLockException(
                FALLBACK_READ_FAILED,
                "The file .lock holds no lease, so nobody knows whose the project is. It is replaced once nobody has changed it"
                        + " for " + term + ".");
    }

    static ProjectLockException held(Found found) {
        String until = found.record()
                .map(record -> " until " + Instant.ofEpochMilli(record.expiresAt()) + " unless it is renewed")
                .orElse("");
        return new ProjectLockException(
                ACQUIRE_TIMEOUT, "The project is held by " + found.name() + until + ". Try again, or wait longer.");
    }
}
