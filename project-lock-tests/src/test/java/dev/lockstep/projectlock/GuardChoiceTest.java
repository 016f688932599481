package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_OPEN_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.PRIMARY_UNAVAILABLE;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.ProjectLockEvent.SwitchToFallback;
import dev.lockstep.testkit.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("how a project's lease files are guarded")
class GuardChoiceTest {
    private static final LockProbe NO_LOCKS = directory -> false;

    @TempDir
    private Path temporary;

    private final FakeClock clock = new FakeClock();
    private ProjectOnDisk project;

    @BeforeEach
    void make() {
        project = new ProjectOnDisk(temporary);
    }

    @AfterEach
    void look() throws IOException {
        project.assertNothingOutsideWasTouched();
    }

    private ProjectLockBuilder builder() {
        return ProjectLock.at(project.directory).clock(clock);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(project.directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    @DisplayName("by a file that is locked, where the operating system's locks work; the probe leaves nothing behind")
    void osLocks() throws IOException {
        try (ProjectLock lock = builder().open()) {
            assertThat(lock.acquire().didFallback()).isFalse();
            assertThat(files()).containsExactly(".lock", ".lock.fence", ".lock.guard", ".lock.os");
            assertThat(project.file(".lock.guard")).isRegularFile();
        }
        assertThat(files()).containsExactly(".lock.fence", ".lock.guard", ".lock.os");
    }

    @Test
    @DisplayName("by hard links, where the operating system's locks don't work, which is reported")
    void links() throws IOException {
        try (Told told = new Told(builder().probe(NO_LOCKS).open())) {
            assertThat(told.lock.acquire().didFallback()).isTrue();
            ProjectLockException error =
                    told.events.awaitProject(SwitchToFallback.class).error();
            assertThat(error.failure()).isEqualTo(PRIMARY_UNAVAILABLE);
            assertThat(error).hasMessageContaining(project.directory.toString()).hasMessageContaining("hard links");
            told.assertLogged("acquire", error);
            assertThat(project.file(".lock.guard")).isDirectory();
            assertThat(project.file(".lock.os")).doesNotExist();
        }
    }

    @Test
    @DisplayName(
            "by hard links also for processes whose locks work, once there are any, so that all exclude each other")
    void linksForAll() {
        try (ProjectLock first = builder().probe(NO_LOCKS).open();
                Told told = new Told(builder().open())) {
            ProjectLease lease = first.acquire().lease();
            told.acquireFails(ACQUIRE_TIMEOUT, () -> told.lock.acquire(ONCE));
            assertThat(told.count("switch-to-fallback")).isEqualTo(1);
            first.release(lease);
            ProjectLease next = told.lock.acquire(ONCE).lease();
            assertThat(next.source()).isEqualTo(LeaseSource.LEASE_FILE);
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    @DisplayName("by hard links, with what the files said before: a live record is honoured")
    void recordBefore() throws IOException {
        project.heldUntil(clock.millis() + 10_000);
        try (Told told = new Told(builder().probe(NO_LOCKS).open())) {
            told.acquireFails(ACQUIRE_TIMEOUT, () -> told.lock.acquire(ONCE));
            clock.advance(Duration.ofSeconds(10));
            told.lock.acquire(ONCE);
        }
    }

    @Test
    @DisplayName("not at all when it is locked by others and this process has no locks: that would be two locks")
    void noLocksHere() throws IOException {
        try (ProjectLock first = builder().open();
                Told told = new Told(builder().probe(NO_LOCKS).open())) {
            ProjectLease lease = first.acquire().lease();
            String before = Files.readString(project.record());
            ProjectLockException error = told.acquireFails(FALLBACK_OPEN_FAILED, () -> told.lock.acquire());
            assertThat(error)
                    .hasMessageContaining(project.file(".lock.guard").toString())
                    .hasMessageContaining("Mount the file system with locks");
            assertThat(first.isHeld(lease)).isTrue();
            assertThat(Files.readString(project.record())).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("by hard links when another process made them during the probe")
    void racing() {
        LockProbe overtaken = directory -> {
            Files.createDirectories(directory.resolve(".lock.guard"));
            return true;
        };
        try (Told told =
                new Told(builder().clock(LockClock.system()).probe(overtaken).open())) {
            assertThat(told.lock.acquire().didFallback()).isTrue();
        }
    }

    @Test
    @DisplayName("that the probe itself fails is reported, and nothing is created")
    void probeFails() throws IOException {
        LockProbe failing = directory -> {
            throw new IOException("Input/output error");
        };
        try (Told told = new Told(builder().probe(failing).open())) {
            told.acquireFails(ProjectLockFailure.FALLBACK_WRITE_FAILED, () -> told.lock.acquire(ONCE));
        }
        assertThat(files()).isEmpty();
    }
}
