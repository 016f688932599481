package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_OPEN_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.LEASE_MISMATCH;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.HoldingPlatform;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a project whose directory is not there")
class MissingProjectTest {
    @TempDir
    private Path temporary;

    private static void removeAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    @Test
    @DisplayName("can't be opened, and is not made")
    void missing() {
        Path missing = temporary.resolve("missing");
        assertThatThrownBy(() -> ProjectLock.open(missing))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("Create it");
        assertThat(missing).doesNotExist();
    }

    @Test
    @DisplayName("can't be opened when a file is in its place, which stays as it is")
    void file() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "work");
        assertThatThrownBy(() -> ProjectLock.open(file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(file + " is no directory");
        assertThat(file).hasContent("work");
    }

    @Test
    @DisplayName("any more can't be acquired, and is not made again")
    void deletedBefore() throws IOException {
        ProjectOnDisk project = new ProjectOnDisk(temporary);
        try (Told told = new Told(ProjectLock.open(project.directory))) {
            removeAll(project.directory);
            ProjectLockException error = told.acquireFails(FALLBACK_OPEN_FAILED, () -> told.lock.acquire());
            assertThat(error).hasMessageContaining(project.directory.toString());
            assertThat(project.directory).doesNotExist();
            project.assertNothingOutsideWasTouched();
        }
    }

    @Test
    @DisplayName(
            "while it is held: renewal and release fail, nothing is made again, and it can be acquired once it is back")
    void deletedWhileHeld() throws IOException {
        ProjectOnDisk project = new ProjectOnDisk(temporary);
        try (Told told = new Told(ProjectLock.open(project.directory))) {
            ProjectLease lease = told.lock.acquire().lease();
            removeAll(project.directory);
            told.fails("renew", FALLBACK_WRITE_FAILED, () -> told.lock.renew(lease));
            assertThat(told.lock.state()).isEqualTo(new HoldingPlatform(lease));
            ProjectLockException error = told.releaseFails(FALLBACK_WRITE_FAILED, () -> told.lock.release(lease));
            assertThat(told.lock.state()).isEqualTo(new Faulted(error));
            assertThat(project.directory).doesNotExist();
            Files.createDirectory(project.directory);
            assertThat(told.lock.acquire(ONCE).didFallback()).isFalse();
            project.assertNothingOutsideWasTouched();
        }
    }

    @Test
    @DisplayName("and came back empty while it is held: nobody knows who had it since, so the lease is over")
    void replacedWhileHeld() throws IOException {
        ProjectOnDisk project = new ProjectOnDisk(temporary);
        try (Told told = new Told(ProjectLock.open(project.directory))) {
            ProjectLease lease = told.lock.acquire().lease();
            removeAll(project.directory);
            Files.createDirectory(project.directory);
            ProjectLockException error = told.fails("renew", LEASE_MISMATCH, () -> told.lock.renew(lease));
            assertThat(error).hasMessageContaining("acquire it again");
            assertThat(told.lock.state()).isEqualTo(new Idle());
            told.lock.acquire(ONCE);
        }
    }
}
