package dev.lockstep.projectlock;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.PlatformLocks.PlatformLock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The three transactions on a project's lease: take, extend, remove. Both paths go through them, so a holder by the platform's
 * lock and a holder by the file exclude each other. The record is written last: it is what counts.
 */
final class LeaseTransactions {
    /** The outcome of an attempt to acquire the project. */
    sealed interface Attempted {
        /**
         * The project is held.
         *
         * @param replaced the unreadable record that was in its place, as an error
         */
        record Taken(HeldProject hold, Optional<ProjectLockException> replaced) implements Attempted {}

        /** Another holder has the project, or an unknown one. */
        record Refused(ProjectLockException why) implements Attempted {}
    }

    private static final PlatformLock NONE = () -> {};

    private final LeaseFiles files;
    private final PlatformLocks platform;
    private final FileFaults faults;
    private final LockClock clock;
    private final Duration term;
    private final OwnershipRule ownership;

    LeaseTransactions(LeaseFiles files, PlatformLocks platform, FileFaults faults, LockClock clock, Duration term) {
        this.files = files;
        this.platform = platform;
        this.faults = faults;
        this.clock = clock;
        this.term = term;
        this.ownership = new OwnershipRule(clock, term);
    }

    /** Takes the project with the platform's lock. */
    Attempted takeWithPlatform(GuardWait wait) throws PlatformLockUnavailableException {
        AtomicReference<PlatformLock> kept = new AtomicReference<>(NONE);
        boolean taken = false;
        try {
            Attempted answer = faults.taking(() -> files.transact(wait, page -> {
                kept.getAndSet(NONE).release(); // of a run that came too late
                return takeWithPlatform(page, kept);
            }));
            taken = answer instanceof Attempted.Taken;
            return answer;
        } finally {
            if (!taken) {
                kept.getAndSet(NONE).release();
            }
        }
    }

    /** Takes the project by its record alone. */
    Attempted takeByFile(GuardWait wait) throws PlatformLockUnavailableException {
        return faults.taking(() -> files.transact(wait, page -> {
            LeaseFileState found = read(page);
            return ownership.isFree(found) ? take(page, found, LeaseSource.LEASE_FILE, NONE) : refused(found);
        }));
    }

    private Attempted takeWithPlatform(LeaseFiles.Page page, AtomicReference<PlatformLock> kept) throws IOException {
        LeaseFileState found = read(page);
        boolean free = ownership.isFree(found);
        Optional<PlatformLock> lock = platform.tryLock();
        lock.ifPresent(kept::set);
        if (lock.isEmpty() && free && isOutlived(found)) {
            lock = platform.steal();
            lock.ifPresent(kept::set);
        }
        if (lock.isPresent() && (free || isDead(found))) {
            return take(page, found, LeaseSource.OS_LOCK, lock.get());
        }
        kept.getAndSet(NONE).release(); // under the guard, or the next one would find it held
        return refused(found);
    }

    /** Whether the record is of a holder whose platform lock, which this process has now, went with its process. */
    private boolean isDead(LeaseFileState found) {
        return found.noteOfRecord()
                .filter(note -> note.source() == LeaseSource.OS_LOCK)
                .filter(note -> platform.provesDeath() || !note.isSeenRunning())
                .isPresent();
    }

    /** Whether the holder of the platform's lock has outlived the lease that came with it: stopped, say, or hung. */
    private boolean isOutlived(LeaseFileState found) {
        return found.text().isPresent() || found.wasGrantedByFile() || ownership.hasStoodStill(found);
    }

    private Attempted take(LeaseFiles.Page page, LeaseFileState found, LeaseSource source, PlatformLock lock)
            throws IOException {
        UUID leaseId = UUID.randomUUID();
        long end = clock.nanos() + term.toNanos();
        long expiresAt = clock.millis() + term.toMillis();
        long fence = nextFence(found);
        page.write(
                LeaseFiles.FENCE, FenceNote.here(fence, leaseId, source, term).text());
        page.write(LeaseFiles.RECORD, new LeaseRecord(leaseId, expiresAt).text());
        ProjectLease lease =
                new ProjectLease(leaseId, Instant.ofEpochMilli(expiresAt), source, new FencingToken(0, fence));
        return new Attempted.Taken(
                new HeldProject(lease, lock, term, end),
                found.isUnreadable() ? Optional.of(faults.replaced()) : Optional.empty());
    }

    /** Rises with every grant; by the clock, so that it also does when the fence file was lost. */
    private long nextFence(LeaseFileState found) {
        long now = TimeUnit.MILLISECONDS.toMicros(clock.millis());
        return Math.max(now, found.note().map(note -> note.fence() + 1).orElse(1L));
    }

    private Attempted.Refused refused(LeaseFileState found) {
        return new Attempted.Refused(found.isUnreadable() ? faults.unreadable(term) : faults.held(found));
    }

    /** Lets a lease last this long from now, or longer if it did already; empty when it is no longer the one that counts. */
    Optional<HeldProject> extend(HeldProject hold, Duration extension) {
        return faults.changing(() -> files.transact(GuardWait.within(hold.nanosLeft(clock), clock), page -> {
            LeaseFileState found = read(page);
            if (hold.isOver(clock) || !(found.isOf(hold.lease()) || found.isMissingSince(hold.lease()))) {
                return Optional.<HeldProject>empty();
            }
            HeldProject longer = hold.extended(extension, clock);
            ProjectLease renewed = longer.lease();
            page.write(LeaseFiles.FENCE, noteOf(hold, longer.term()).text());
            page.write(
                    LeaseFiles.RECORD,
                    new LeaseRecord(renewed.leaseId(), renewed.expiresAt().toEpochMilli()).text());
            return Optional.of(longer);
        }));
    }

    /** The longer of both terms: if the record can't be written after this, the old lease continues. */
    private static FenceNote noteOf(HeldProject hold, Duration extension) {
        ProjectLease lease = hold.lease();
        Duration longer = extension.compareTo(hold.term()) > 0 ? extension : hold.term();
        return FenceNote.here(lease.token().value(), lease.leaseId(), lease.source(), longer);
    }

    /** Removes the record, if it is this lease's, and releases the platform's lock whatever happens; returns whether it was. */
    boolean remove(HeldProject hold) {
        try {
            return faults.changing(() -> files.transact(GuardWait.brief(clock), page -> {
                LeaseFileState found = read(page);
                if (found.isOf(hold.lease())) {
                    page.delete(LeaseFiles.RECORD);
                }
                hold.platformLock().release();
                return found.isOf(hold.lease()) || found.isMissingSince(hold.lease());
            }));
        } finally {
            hold.platformLock().release();
        }
    }

    private LeaseFileState read(LeaseFiles.Page page) throws NotAFileException {
        return faults.reading(() -> LeaseFileState.in(page.read(LeaseFiles.RECORD), page.read(LeaseFiles.FENCE)));
    }
}
