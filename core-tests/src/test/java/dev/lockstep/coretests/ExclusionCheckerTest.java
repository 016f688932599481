package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.ExclusionReport;
import dev.lockstep.testkit.Tenancy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ExclusionCheckerTest {
    private static final LockKey KEY = Tenancy.account("u1", "a1");
    private static final FencingToken TOKEN = new FencingToken(0, 1);
    private static final int THREADS = 4;

    @TempDir
    private Path directory;

    private interface Work {
        void run(int thread) throws Exception;
    }

    /** With leases and waits that outlast a standstill. */
    private static Locks lastingLocks() {
        return Locks.builder(MemoryStore.create())
                .defaultWait(Duration.ofMinutes(5))
                .defaultTerm(Duration.ofMinutes(10))
                .build();
    }

    private static void inThreads(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            done.add(threads.submit(() -> {
                start.await();
                work.run(thread);
                return null;
            }));
        }
        for (Future<?> each : done) {
            each.get(120, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }

    @Test
    void findsNothingWhenLocksWork() throws Exception {
        try (Locks locks = lastingLocks();
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            inThreads(thread -> {
                for (int i = 0; i < 500; i++) {
                    workUnderLocks(locks, checker, i);
                }
            });
            assertThat(checker.verify().sections()).isEqualTo(THREADS * 500L);
        }
    }

    private static void workUnderLocks(Locks locks, ExclusionChecker checker, int round) {
        LockKey child = KEY.child(Tenancy.RESOURCE, "r1");
        switch (round % 4) {
            case 0 -> {
                Lease lease = locks.acquire(shared(KEY));
                checker.shared(KEY, lease);
                lease.close();
            }
            case 1 -> {
                Lease lease = locks.acquire(exclusive(child));
                checker.exclusive(child, lease);
                lease.close();
            }
            default -> {
                Lease lease = locks.acquire(exclusive(KEY));
                checker.exclusive(KEY, lease);
                lease.close();
            }
        }
    }

    @Test
    void catchesThreadsWithoutALock() throws Exception {
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            await().atMost(Duration.ofMinutes(3)).until(() -> {
                inThreads(thread -> breakIn(checker, "thread " + thread));
                ExclusionReport report = checker.report();
                return report.lostIncrements() > 0 && report.overlaps() > 0 && report.tornReads() > 0;
            });
            assertThatThrownBy(checker::verify)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("was counted to")
                    .hasMessageContaining("began during");
        }
    }

    private static void breakIn(ExclusionChecker checker, String owner) {
        for (int i = 0; i < 1_000; i++) {
            checker.exclusive(KEY, TOKEN, owner);
            checker.shared(KEY, TOKEN, owner);
        }
    }

    @Test
    void catchesTokensOutOfOrder() {
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            checker.exclusive(KEY, new FencingToken(0, 7), "one");
            checker.exclusive(KEY, new FencingToken(0, 6), "other");
            checker.exclusive(KEY, new FencingToken(1, 1), "after the switch");
            ExclusionReport report = checker.report();
            assertThat(report.tokensOutOfOrder()).isEqualTo(1);
            assertThat(report.overlaps() + report.lostIncrements()).isZero();
        }
    }

    @Test
    void catchesAnAncestorsTokenOutOfOrder() {
        LockKey child = KEY.child(Tenancy.RESOURCE, "r1");
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            checker.exclusive(child, new FencingToken(0, 7), "one");
            checker.shared(KEY, new FencingToken(0, 6), "other");
            assertThat(checker.report().tokensOutOfOrder()).isEqualTo(1);
        }
    }

    @Test
    void findsNothingInTwoProcessesWithALock() throws Exception {
        inTwoProcesses(true);
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            assertThat(checker.verify().sections()).isPositive();
        }
    }

    @Test
    void catchesTwoProcessesWithoutALock() throws Exception {
        inTwoProcesses(false);
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            ExclusionReport report = checker.report();
            assertThat(report.overlaps()).as(report.toString()).isPositive();
            assertThat(report.lostIncrements()).as(report.toString()).isPositive();
        }
    }

    private void inTwoProcesses(boolean locks) throws Exception {
        Process one = child(locks, "one");
        Process two = child(locks, "two");
        await().atMost(Duration.ofMinutes(3))
                .until(() ->
                        Files.exists(directory.resolve("one.ready")) && Files.exists(directory.resolve("two.ready")));
        Files.createFile(directory.resolve("go"));
        assertThat(one.waitFor()).isZero();
        assertThat(two.waitFor()).isZero();
    }

    private Process child(boolean locks, String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExclusionChild.class.getName(),
                        directory.toString(),
                        Boolean.toString(locks),
                        name)
                .inheritIO()
                .start();
    }

    // ---- leases that may be lost

    @Test
    void aSectionWhoseLeaseIsGoneAtItsEndDoesNotCount() {
        try (Locks locks = lastingLocks();
                ExclusionChecker checker = ExclusionChecker.in(directory);
                Lease lease = locks.acquire(exclusive(KEY))) {
            assertThat(checker.whileHeld(KEY, true, lease, () -> {})).isTrue();
            assertThat(checker.whileHeld(KEY, true, lease, lease::close)).isFalse();
            assertThat(checker.verify().sections()).isEqualTo(1);
        }
    }

    @Test
    void findsSectionsUnderHeldLeasesThatOverlap() {
        try (Locks first = lastingLocks();
                Locks second = lastingLocks();
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            Lease one = first.acquire(exclusive(KEY).as("one"));
            Lease other = second.acquire(exclusive(KEY).as("other"));
            checker.whileHeld(KEY, true, one, () -> checker.whileHeld(KEY, true, other, () -> {}));
            ExclusionReport report = checker.report();
            assertThat(report.overlaps()).isEqualTo(1);
            assertThat(report.lostIncrements()).isZero();
        }
    }
}
