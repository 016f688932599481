package dev.lockstep.projectlock;

import java.nio.file.Path;

/** How a process takes a project. */
enum Way {
    /** With the operating system's lock. */
    OS_LOCK,
    /** By the record alone, guarded by a lock of the operating system. */
    LEASE_FILE,
    /** By the record alone, on a file system without locks. */
    LINKS;

    ProjectLockBuilder at(Path project) {
        ProjectLockBuilder builder = ProjectLock.at(project).probe(probe());
        return this == LEASE_FILE ? builder.withoutPlatformLock() : builder;
    }

    private LockProbe probe() {
        return this == LINKS ? directory -> false : LockProbe::byTrying;
    }

    /** The files that all who go this way agree on. */
    GuardedDirectory files(Path project) {
        return new GuardedDirectory(project, probe(), Steps.GO_ON);
    }
}
