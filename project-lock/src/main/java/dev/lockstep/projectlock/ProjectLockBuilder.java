package dev.lockstep.projectlock;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of a {@link ProjectLock}, in the order of how often they are needed. */
public final class ProjectLockBuilder {
    private static final Duration TERM = Duration.ofSeconds(15);
    static final Duration SHORTEST = Duration.ofMillis(10);
    static final Duration LONGEST = Duration.ofDays(1);

    private final Path project;
    private Duration term = TERM;
    private LockClock clock = LockClock.system();
    private @Nullable PlatformLocks platform;
    private @Nullable LeaseFiles files;
    private LockProbe probe = LockProbe::byTrying;
    private Steps steps = Steps.GO_ON;

    ProjectLockBuilder(Path project) {
        this.project = project;
    }

    /** How long a lease lasts unless it is renewed; 15 seconds. */
    public ProjectLockBuilder term(Duration length) {
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new InvalidRequestException("The term is " + length + ". Give 10 ms to 1 day.");
        }
        this.term = length;
        return this;
    }

    /** Uses the lease file alone, as where the operating system's locks don't work. */
    public ProjectLockBuilder withoutPlatformLock() {
        return platformLocks(NoPlatformLocks.INSTANCE);
    }

    /** The clocks to use; tests move them. */
    public ProjectLockBuilder clock(LockClock used) {
        this.clock = used;
        return this;
    }

    /** The platform's lock to use; for tests. */
    public ProjectLockBuilder platformLocks(PlatformLocks used) {
        this.platform = used;
        return this;
    }

    /** The files to use; for tests. */
    public ProjectLockBuilder leaseFiles(LeaseFiles used) {
        this.files = used;
        return this;
    }

    ProjectLockBuilder probe(LockProbe used) {
        this.probe = used;
        return this;
    }

    ProjectLockBuilder steps(Steps told) {
        this.steps = told;
        return this;
    }

    /** The lock. Nothing is locked or written yet. */
    public ProjectLock open() {
        Path directory = files == null ? realPath() : project;
        GuardedDirectory guarded = new GuardedDirectory(directory, probe, steps);
        LeaseFiles usedFiles = files == null ? guarded : files;
        PlatformLocks usedPlatform = platform == null ? new OsLocks(directory, guarded) : platform;
        LeaseTransactions transactions =
                new LeaseTransactions(usedFiles, usedPlatform, new FileFaults(directory), clock, term);
        return new ProjectLock(new Parts(transactions, new FileThread(), new LockReporter(directory), clock), term);
    }

    /** One path for one directory, also where links lead to it. */
    private Path realPath() {
        try {
            Path real = project.toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
        } catch (IOException e) {
            throw new InvalidRequestException(noDirectory() + " (" + e + ")");
        }
        throw new InvalidRequestException(noDirectory());
    }

    private String noDirectory() {
        return "The project " + project.toAbsolutePath() + " is no directory. Create it before it is locked.";
    }

    /** A platform without locks. */
    private enum NoPlatformLocks implements PlatformLocks {
        INSTANCE;

        @Override
        public Optional<PlatformLock> tryLock() throws PlatformLockUnavailableException {
            throw new PlatformLockUnavailableException("The platform's lock is switched off", null);
        }

        @Override
        public Optional<PlatformLock> steal() throws PlatformLockUnavailableException {
            return tryLock();
        }
    }
}
