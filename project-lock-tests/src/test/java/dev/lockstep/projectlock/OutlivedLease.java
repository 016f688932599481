package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.PlatformLocks.PlatformLock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Leaves an expired lease in a project, as a holder does that was stopped until others could take the project. */
final class OutlivedLease {
    private static final PlatformLock NONE = () -> {};
    private static final Duration TERM = Duration.ofSeconds(15);

    private final GuardedDirectory files;
    private final OsLocks osLocks;

    OutlivedLease(Way way, Path project) {
        this.files = way.files(project);
        this.osLocks = new OsLocks(project, files);
    }

    /** By the record alone: there is nothing to release. */
    PlatformLock leave() throws IOException, GuardBusyException {
        return leave(LeaseSource.LEASE_FILE, false).orElseThrow();
    }

    /** By the record and the operating system's lock, which is still there until the answer is released. */
    PlatformLock leaveLocked() throws IOException, GuardBusyException {
        return leave(LeaseSource.OS_LOCK, true).orElseThrow();
    }

    private Optional<PlatformLock> leave(LeaseSource source, boolean locked) throws IOException, GuardBusyException {
        return files.transact(GuardWait.brief(LockClock.system()), page -> {
            long last = page.read(LeaseFiles.FENCE)
                    .flatMap(FenceNote::parse)
                    .map(FenceNote::fence)
                    .orElse(0L);
            UUID leaseId = UUID.randomUUID();
            page.write(
                    LeaseFiles.FENCE,
                    FenceNote.here(last + 1, leaseId, source, TERM).text());
            page.write(LeaseFiles.RECORD, new LeaseRecord(leaseId, System.currentTimeMillis() - 1).text());
            return locked ? osLock() : Optional.of(NONE);
        });
    }

    private Optional<PlatformLock> osLock() throws IOException {
        try {
            return osLocks.tryLock();
        } catch (PlatformLockUnavailableException e) {
            throw new IOException(e);
        }
    }
}
