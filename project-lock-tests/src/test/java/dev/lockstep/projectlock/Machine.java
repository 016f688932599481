package dev.lockstep.projectlock;

import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.InMemoryOpfsFile;
import dev.lockstep.testkit.MockNavigatorLocks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One machine with its clocks, its platform lock and one project in memory, for any number of holders. */
final class Machine implements AutoCloseable {
    final FakeClock clock = new FakeClock();
    final MockNavigatorLocks platform = new MockNavigatorLocks();
    final InMemoryOpfsFile file = new InMemoryOpfsFile();
    private final List<ProjectLock> holders = new ArrayList<>();

    ProjectLock holder() {
        return holder(Duration.ofSeconds(15));
    }

    ProjectLock holder(Duration term) {
        return keep(builder().term(term));
    }

    /** Opens what a builder describes, and closes it in the end. */
    ProjectLock keep(ProjectLockBuilder builder) {
        ProjectLock lock = builder.open();
        holders.add(lock);
        return lock;
    }

    ProjectLockBuilder builder() {
        return ProjectLock.at(Path.of("project"))
                .platformLocks(platform)
                .leaseFiles(file)
                .clock(clock);
    }

    @Override
    public void close() {
        holders.forEach(ProjectLock::close);
    }
}
