package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_OPEN_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.HoldingFallback;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a project that can only be read")
class ReadOnlyProjectTest {
    @TempDir
    private Path temporary;

    private Mount disk;
    private ProjectOnDisk project;

    @BeforeEach
    void mount() throws Exception {
        disk = Mount.small(temporary.resolve("disk"));
        project = new ProjectOnDisk(disk.directory);
    }

    @AfterEach
    void unmount() {
        if (disk != null) {
            disk.close();
        }
    }

    @Test
    @DisplayName("can't be acquired, which is reported at once, and another's record stays as it was")
    void acquire() throws Exception {
        project.heldUntil(System.currentTimeMillis() - 1);
        String before = Files.readString(project.record());
        disk.makeReadOnly();
        try (Told told = new Told(ProjectLock.open(project.directory))) {
            ProjectLockException error = told.acquireFails(FALLBACK_OPEN_FAILED, () -> told.lock.acquire());
            assertThat(error)
                    .hasMessageContaining(project.directory.toString())
                    .hasMessageContaining("Read-only file system")
                    .hasMessageContaining("Let this process create files");
            assertThat(told.events.projectEventTypes()).containsExactly("acquire-failed");
        }
        assertThat(Files.readString(project.record())).isEqualTo(before);
        project.assertNothingOutsideWasTouched();
    }

    @Test
    @DisplayName("since it was acquired: a renewal fails and leaves the lease as it was, a release fails for good")
    void whileHeld() throws Exception {
        try (Told told =
                new Told(ProjectLock.at(project.directory).withoutPlatformLock().open())) {
            ProjectLease lease = told.lock.acquire(ONCE).lease();
            String before = Files.readString(project.record());
            disk.makeReadOnly();
            told.fails("renew", FALLBACK_WRITE_FAILED, () -> told.lock.renew(lease));
            assertThat(told.lock.state()).isEqualTo(new HoldingFallback(lease));
            ProjectLockException error = told.releaseFails(FALLBACK_WRITE_FAILED, () -> told.lock.release(lease));
            assertThat(told.lock.state()).isEqualTo(new Faulted(error));
            assertThat(Files.readString(project.record())).isEqualTo(before);
        }
    }
}
