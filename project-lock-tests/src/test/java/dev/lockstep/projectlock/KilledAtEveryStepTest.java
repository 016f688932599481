package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LockClock;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A process acquires, renews and releases, and ends before the first step of that; the next one before the second, and so on
 * until one gets through. After each, someone else wants the project.
 */
@Tag("slow")
@Tag("once")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class KilledAtEveryStepTest {
    private static final Duration TERM = Duration.ofMinutes(1);
    private static final AcquireOptions ONCE = AcquireOptions.defaults().within(Duration.ZERO);

    /** Processes take longer to start than to die, so the next ones start meanwhile. */
    private static final int AHEAD = 1;

    /** Its steps are those of the OS lock's holder; the usual run takes a quarter of them again. */
    private static final int LEASE_FILE_STRIDE = Scale.pick(4, 1);

    /** An acquire and a renewal have the same 13 steps, so the usual run takes every other one in one and the rest in the other. */
    private static final int LINKS_STRIDE = Scale.pick(2, 1);

    private final Deque<ChildJvm> started = new ArrayDeque<>();
    private final List<String> diedBefore = new ArrayList<>();
    private long lastToken;

    @TempDir
    private Path outside;

    private Path project;

    @BeforeEach
    void make() throws IOException {
        project = Files.createDirectory(outside.resolve("project"));
    }

    @AfterEach
    void end() {
        started.forEach(ChildJvm::close);
    }

    @Test
    void theOsLocksHolderIsFollowedAtOnce() throws Exception {
        killAtEveryStep(Way.OS_LOCK, 1, 1);
        assertThat(diedBefore)
                .contains("begin", "second half of .lock.tmp", "move to .lock.fence", "move to .lock", "delete .lock");
        assertThat(names(project)).containsExactlyInAnyOrder(".lock.fence", ".lock.guard", ".lock.os");
    }

    @Test
    void theLeaseFilesHolderIsFollowedAfterItsTerm() throws Exception {
        killAtEveryStep(Way.LEASE_FILE, LEASE_FILE_STRIDE, LEASE_FILE_STRIDE);
        assertThat(diedBefore).contains("begin", "move to .lock.fence", "move to .lock");
        assertThat(names(project)).containsExactlyInAnyOrder(".lock.fence", ".lock.guard");
    }

    @Test
    void theHolderByHardLinksIsFollowedAfterItsTerm() throws Exception {
        killAtEveryStep(Way.LINKS, 1, LINKS_STRIDE);
        assertThat(diedBefore).contains("link generation", "move to .lock.fence", "move to .lock", "delete .lock");
        assertThat(names(project)).containsExactlyInAnyOrder(".lock.fence", ".lock.guard");
        assertThat(names(afterFiveMinutes())).hasSizeLessThan(20).noneMatch(name -> name.endsWith(".tmp"));
    }

    private void killAtEveryStep(Way way, int first, int stride) throws Exception {
        try (RecordReader reader = RecordReader.of(project)) {
            for (int step = first; diesBefore(step, way); step += stride) {
                follow(way, step + ", before " + diedBefore.get(diedBefore.size() - 1));
            }
            assertThat(reader.records()).isPositive();
            assertThat(reader.absences()).isPositive();
            assertThat(reader.wrong()).isEmpty();
        }
        assertThat(names(outside)).containsExactly("project");
    }

    /** Answers whether there is such a step. */
    private boolean diesBefore(int step, Way way) throws IOException {
        while (started.size() <= AHEAD) {
            started.add(ChildJvm.start(ProjectChild.class));
        }
        try (ChildJvm child = started.remove()) {
            assertThat(child.ask(ProjectChild.open(way, project, TERM))).isEqualTo("open");
            assertThat(child.ask("die " + step)).isEqualTo("ok");
            String last = child.ask("cycle");
            if (last.matches("held \\d+ renewed released")) {
                return false;
            }
            diedBefore.add(last);
            assertThat(child.exitCode()).as(last).isEqualTo(ChildSteps.DIED);
            return true;
        }
    }

    /** A single attempt has the project: at once, or when the dead holder's lease is over if that can't be known to be dead. */
    private void follow(Way way, String step) throws Exception {
        ShiftedClock clock = new ShiftedClock();
        try (ProjectLock next = way.at(project).clock(clock).open()) {
            if (way != Way.OS_LOCK && record(way).isPresent()) {
                assertThatThrownBy(() -> next.acquire(ONCE))
                        .as("too early after step %s", step)
                        .hasMessageContaining("is held by lease");
                clock.advance(TERM);
            }
            ProjectLease lease = next.acquire(ONCE).lease();
            assertThat(lease.token().value()).as("token after step %s", step).isGreaterThan(lastToken);
            lastToken = lease.token().value();
            next.release(lease);
        }
        assertThat(record(way)).as("record after step %s", step).isEmpty();
        assertThat(project.resolve(LeaseFiles.RECORD)).doesNotExist();
    }

    /** What counts, which may not be shown in the file yet where there are links. */
    private Optional<LeaseRecord> record(Way way) throws IOException, GuardBusyException {
        return way.files(project)
                .transact(GuardWait.brief(LockClock.system()), page -> page.read(LeaseFiles.RECORD))
                .flatMap(LeaseRecord::parse);
    }

    /** The guard's directory after everything in it has become old, and one more turn. */
    private Path afterFiveMinutes() throws IOException {
        Path guard = project.resolve(GuardedDirectory.GUARD);
        for (String name : names(guard)) {
            Files.setLastModifiedTime(
                    guard.resolve(name), FileTime.from(Instant.now().minus(Duration.ofMinutes(6))));
        }
        try (ProjectLock lock = Way.LINKS.at(project).open()) {
            lock.release(lock.acquire().lease());
        }
        return guard;
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }
}
