package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_OPEN_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_WRITE_FAILED;
import static dev.lockstep.projectlock.ProjectLockFailure.PRIMARY_UNAVAILABLE;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.projectlock.ProjectLockEvent.SwitchToFallback;
import dev.lockstep.projectlock.ProjectLockState.Faulted;
import dev.lockstep.projectlock.ProjectLockState.HoldingPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("something else in the place of a lease file")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisplacedFilesTest {
    @TempDir
    private Path temporary;

    private ProjectOnDisk project;
    private ProjectLock lock;
    private Told told;

    @BeforeEach
    void open() {
        project = new ProjectOnDisk(temporary);
        lock = ProjectLock.open(project.directory);
        told = new Told(lock);
    }

    @AfterEach
    void close() throws IOException {
        told.close();
        project.assertNothingOutsideWasTouched();
    }

    private void assertCanNotBeMade(String name) {
        ProjectLockException error = told.acquireFails(FALLBACK_OPEN_FAILED, () -> lock.acquire());
        assertThat(error).hasMessageContaining(project.file(name).toString()).hasMessageContaining("remove");
    }

    /** Without the platform's lock the record still does. */
    private void assertFallsBack() {
        Acquisition acquisition = lock.acquire(ONCE);
        assertThat(acquisition.didFallback()).isTrue();
        ProjectLockException error =
                told.events.awaitProject(SwitchToFallback.class).error();
        assertThat(error.failure()).isEqualTo(PRIMARY_UNAVAILABLE);
        told.assertLogged("acquire", error);
        lock.release(acquisition.lease());
        assertThat(project.record()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {".lock", ".lock.fence", ".lock.tmp"})
    @DisplayName("a directory: fallback-open-failed at once, and the directory stays")
    void directory(String name) throws IOException {
        Path inside = Files.createDirectory(project.file(name)).resolve("work");
        Files.writeString(inside, "of someone");
        assertCanNotBeMade(name);
        assertThat(inside).hasContent("of someone");
    }

    @Test
    @DisplayName("a directory for the platform's lock: the lease rests on its file alone")
    void directoryForPlatformLock() throws IOException {
        Files.createDirectory(project.file(".lock.os"));
        assertFallsBack();
    }

    @Test
    @DisplayName("a directory for the guard: it is taken for one of hard links, and what is in it stays")
    void directoryForGuard() throws IOException {
        Path inside = Files.createDirectory(project.file(".lock.guard")).resolve("work");
        Files.writeString(inside, "of someone");
        assertFallsBack();
        assertThat(inside).hasContent("of someone");
    }

    @ParameterizedTest
    @ValueSource(strings = {".lock", ".lock.fence", ".lock.guard"})
    @DisplayName("a link that leads out to a file: fallback-open-failed, and nothing out there changes")
    void link(String name) throws IOException {
        Files.createSymbolicLink(project.file(name), project.precious());
        assertCanNotBeMade(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".lock", ".lock.fence", ".lock.guard"})
    @DisplayName("a link that leads out to nothing: fallback-open-failed, and nothing is made out there")
    void danglingLink(String name) throws IOException {
        Files.createSymbolicLink(project.file(name), project.precious().resolveSibling("missing"));
        assertCanNotBeMade(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".lock", ".lock.fence", ".lock.guard"})
    @DisplayName("a link that leads out to a directory: fallback-open-failed, and nothing is made in there")
    void linkToDirectory(String name) throws IOException {
        Files.createSymbolicLink(project.file(name), project.precious().getParent());
        assertCanNotBeMade(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"precious", "missing", "."})
    @DisplayName("a link for the platform's lock: the lease rests on its file alone")
    void linkForPlatformLock(String target) throws IOException {
        Files.createSymbolicLink(project.file(".lock.os"), project.precious().resolveSibling(target));
        assertFallsBack();
    }

    @ParameterizedTest
    @ValueSource(strings = {"precious", "missing", "."})
    @DisplayName("a link for the temporary file: it is removed like any leftover, and not followed")
    void linkForTemporary(String target) throws IOException {
        Files.createSymbolicLink(project.file(".lock.tmp"), project.precious().resolveSibling(target));
        assertThat(lock.acquire(ONCE).didFallback()).isFalse();
        assertThat(Files.isRegularFile(project.record(), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {".lock", ".lock.fence", ".lock.guard"})
    @DisplayName("a pipe: fallback-open-failed, and nothing waits for its other end")
    void pipe(String name) throws Exception {
        makePipe(name);
        assertCanNotBeMade(name);
    }

    @Test
    @DisplayName("a pipe for the platform's lock: the lease rests on its file alone")
    void pipeForPlatformLock() throws Exception {
        makePipe(".lock.os");
        assertFallsBack();
    }

    private void makePipe(String name) throws Exception {
        Process made = new ProcessBuilder("mkfifo", project.file(name).toString())
                .inheritIO()
                .start();
        Assumptions.assumeTrue(
                made.waitFor(60, TimeUnit.SECONDS) && made.exitValue() == 0, "mkfifo does not work here");
    }

    @Test
    @DisplayName("while held: a renewal fails and leaves the lease as it was, a release fails for good")
    void whileHeld() throws IOException {
        ProjectLease lease = lock.acquire().lease();
        Files.delete(project.record());
        Files.createDirectory(project.record());
        told.fails("renew", FALLBACK_WRITE_FAILED, () -> lock.renew(lease));
        assertThat(lock.state()).isEqualTo(new HoldingPlatform(lease));
        assertThat(lock.isHeld(lease)).isTrue();
        ProjectLockException error = told.releaseFails(FALLBACK_WRITE_FAILED, () -> lock.release(lease));
        assertThat(lock.state()).isEqualTo(new Faulted(error));
        Files.delete(project.record());
        assertThat(lock.acquire(ONCE).didFallback())
                .as("the platform's lock was freed")
                .isFalse();
    }
}
