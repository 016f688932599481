package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.projectlock.ProjectLockState.Idle;
import dev.lockstep.testkit.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("a project on a disk that is full")
class FullDiskTest {
    /** How the lease files are guarded, and what a lease rests on. */
    enum Guard {
        OS_LOCKS,
        LEASE_FILE,
        HARD_LINKS
    }

    @TempDir
    private Path temporary;

    private final FakeClock clock = new FakeClock();
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

    private ProjectLock open(Guard guard) {
        ProjectLockBuilder builder = ProjectLock.at(project.directory).clock(clock);
        return switch (guard) {
            case OS_LOCKS -> builder.open();
            case LEASE_FILE -> builder.withoutPlatformLock().open();
            case HARD_LINKS -> builder.probe(directory -> false).open();
        };
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("can't be acquired, and a record that expired stays as it was; with space again it can")
    void acquire(Guard guard) throws IOException {
        project.heldUntil(clock.millis());
        String before = Files.readString(project.record());
        try (Told told = new Told(open(guard))) {
            disk.fill();
            ProjectLockException error = told.acquireFails(FALLBACK_WRITE_FAILED, () -> told.lock.acquire(ONCE));
            assertThat(error).hasMessageContaining("No space left").hasMessageContaining("disk's space");
            assertThat(Files.readString(project.record())).isEqualTo(before);
            disk.empty();
            told.lock.acquire(ONCE);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "can't be renewed: the old lease lasts to its end, for its holder and for others, and may be renewed later")
    void renew(Guard guard) throws IOException {
        try (Told told = new Told(open(guard));
                ProjectLock other = open(guard)) {
            ProjectLease lease = told.lock.acquire(ONCE).lease();
            String before = Files.readString(project.record());
            ProjectLockState holding = told.lock.state();
            disk.fill();
            clock.advance(Duration.ofSeconds(10));
            told.fails("renew", FALLBACK_WRITE_FAILED, () -> told.lock.renew(lease));
            assertThat(told.lock.state()).isEqualTo(holding);
            assertThat(told.lock.isHeld(lease)).isTrue();
            assertThat(Files.readString(project.record())).isEqualTo(before);
            assertThat(refusal(other)).isEqualTo(ACQUIRE_TIMEOUT);
            disk.empty();
            ProjectLease renewed = told.lock.renew(lease);
            clock.advance(Duration.ofSeconds(10));
            assertThat(told.lock.isHeld(renewed)).isTrue();
            told.lock.release(renewed);
        }
    }

    private static ProjectLockFailure refusal(ProjectLock lock) {
        return catchThrowableOfType(ProjectLockException.class, () -> lock.acquire(ONCE))
                .failure();
    }

    @ParameterizedTest
    @EnumSource(names = {"OS_LOCKS", "LEASE_FILE"})
    @DisplayName("can be released: that takes no space")
    void release(Guard guard) throws IOException {
        try (Told told = new Told(open(guard))) {
            ProjectLease lease = told.lock.acquire(ONCE).lease();
            disk.fill();
            told.lock.release(lease);
            assertThat(told.lock.state()).isEqualTo(new Idle());
            assertThat(project.record()).doesNotExist();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "HARD_LINKS")
    @DisplayName("guarded by hard links can't be released, and says so: the record ends by itself")
    void releaseWithLinks(Guard guard) throws IOException {
        try (Told told = new Told(open(guard))) {
            ProjectLease lease = told.lock.acquire(ONCE).lease();
            disk.fill();
            told.releaseFails(FALLBACK_WRITE_FAILED, () -> told.lock.release(lease));
            disk.empty();
            told.acquireFails(ACQUIRE_TIMEOUT, () -> told.lock.acquire(ONCE));
            clock.advance(Duration.ofSeconds(15));
            told.lock.acquire(ONCE);
        }
    }
}
