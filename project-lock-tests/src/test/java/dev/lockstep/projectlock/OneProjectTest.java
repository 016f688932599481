package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is one project, and what is not. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OneProjectTest {
    private static final int THREADS = 8;
    private static final int TIMES = 10;

    @TempDir
    private Path directory;

    private Path project;
    private Path link;

    @BeforeEach
    void make() throws IOException {
        project = Files.createDirectory(directory.resolve("project"));
        link = Files.createSymbolicLink(directory.resolve("link"), project);
    }

    @ParameterizedTest
    @EnumSource
    void aLinkLeadsToTheSameProject(Way way) {
        try (ProjectLock direct = way.at(project).open();
                ProjectLock linked = way.at(link).open()) {
            ProjectLease lease = direct.acquire().lease();
            assertThat(Attempts.one(linked)).isEqualTo("acquire-timeout");
            direct.release(lease);
            assertThat(Attempts.one(linked)).isEqualTo("held");
            assertThat(Attempts.one(direct)).isEqualTo("acquire-timeout");
        }
    }

    @Test
    @Tag("slow")
    void aLinkLeadsAnotherProcessToTheSameProject() throws Exception {
        try (ProjectLock direct = ProjectLock.open(project);
                ChildJvm other = ChildJvm.start(ProjectChild.class)) {
            other.ask(ProjectChild.open(Way.OS_LOCK, link, Duration.ofMinutes(1)));
            assertThat(other.ask("acquire")).startsWith("held ");
            assertThat(Attempts.one(direct)).isEqualTo("acquire-timeout");
            assertThat(other.ask("release")).isEqualTo("released");
            assertThat(Attempts.one(direct)).isEqualTo("held");
            assertThat(other.ask("try")).isEqualTo("acquire-timeout");
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoProjectsDoNotDisturbEachOther(Way way) throws Exception {
        Path inside = Files.createDirectory(project.resolve("inside"));
        try (ProjectLock outer = way.at(project).open();
                ProjectLock inner = way.at(inside).open()) {
            ProjectLease lease = outer.acquire().lease();
            ProjectLease other = inner.acquire().lease();
            outer.release(lease);
            assertThat(Records.in(inside).map(LeaseRecord::leaseId)).contains(other.leaseId());
            assertThat(inner.isHeld(inner.renew(other))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void instancesInManyThreadsExcludeEachOther(Way way, @TempDir Path counts) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (CountedWork work = CountedWork.in(counts)) {
            List<Future<?>> counting = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Path path = i % 2 == 0 ? project : link;
                counting.add(threads.submit(() -> {
                    try (ProjectLock lock =
                            way.at(path).term(Duration.ofHours(1)).open()) {
                        work.repeat(lock, TIMES);
                    }
                    return null;
                }));
            }
            for (Future<?> each : counting) {
                each.get();
            }
            assertThat(work.counted()).isEqualTo(THREADS * TIMES);
            work.verify();
        } finally {
            threads.shutdownNow();
        }
    }
}
