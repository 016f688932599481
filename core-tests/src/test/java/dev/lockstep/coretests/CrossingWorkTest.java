package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.core.Scale;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.CrossingWork;
import dev.lockstep.testkit.ExclusionChecker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class CrossingWorkTest {
    private static final int THREADS = 4;
    private static final int ACQUISITIONS = Scale.pick(1_000, 1_000, 20_000);

    @TempDir
    private Path directory;

    @Test
    void findsNothingWrongWithALockThatExcludes() throws Exception {
        try (Locks locks = lastingLocks();
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            CrossingWork.on(locks, checker).run(THREADS, ACQUISITIONS, System.nanoTime());
            assertThat(checker.verify().sections()).isGreaterThan(ACQUISITIONS);
        }
    }

    @Test
    void findsThatLocksWhichDontKnowOfEachOtherDontExclude() throws Exception {
        try (Locks one = lastingLocks();
                Locks other = lastingLocks();
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> run(CrossingWork.on(other, checker)));
            run(CrossingWork.on(one, checker));
            beside.join();
            assertThat(checker.report().isClean()).isFalse();
        }
    }

    /** With leases that outlast a standstill. */
    private static Locks lastingLocks() {
        return Locks.builder(MemoryStore.create())
                .defaultTerm(Duration.ofMinutes(10))
                .build();
    }

    private static void run(CrossingWork work) {
        try {
            work.run(THREADS, ACQUISITIONS, System.nanoTime());
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
