package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.Breach;
import dev.lockstep.testkit.FaultyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workload on stores that break their contract silently: the checker finds out. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenStoreTest {
    private static final Duration TERM = Duration.ofSeconds(1);
    private static final int THREADS = 6;

    @TempDir
    private Path directory;

    private Stream<String> rulesBroken(LockStore store, Register register) throws InterruptedException {
        try (History history = History.in(directory, "p0-0");
                Locks locks = Locks.builder(store).defaultTerm(TERM).build()) {
            Workload workload = new Workload(locks, LockClock.system(), () -> register, history, TERM);
            history.now("healed");
            workload.begin(THREADS, 7);
            long start = System.nanoTime();
            do {
                Thread.sleep(2_000); // so long is the run, and longer where a thread had no turn yet
            } while (!EndRule.unservedSince(Records.in(directory), start).isEmpty()
                    && System.nanoTime() - start < Caller.PATIENCE.toNanos());
            assertThat(workload.end(Caller.PATIENCE)).isTrue();
        }
        ChaosReport report = ChaosReport.of(Records.in(directory), Promise.LEASES_OUTLIVE_CONNECTIONS);
        assertThat(report.toString()).contains("granted");
        assertThat(Records.in(directory).granted()).hasSizeGreaterThan(THREADS);
        return report.violations().stream().map(Violation::rule).distinct();
    }

    @Test
    void aStoreThatKeepsItsContractIsClean() throws InterruptedException {
        assertThat(rulesBroken(MemoryStore.create(), new MemoryRegister(true))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "FORGETS_GRANTS, overlap",
        "TAKES_EXCLUSIVE_AS_SHARED, overlap",
        "IGNORES_ANCESTORS, overlap",
        "REPEATS_TOKENS, token"
    })
    void aStoreThatBreaksItIsFound(Breach breach, String rule) throws InterruptedException {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.commit(breach);
        assertThat(rulesBroken(store, new MemoryRegister(true))).contains(rule);
    }

    @Test
    void aGuardThatDoesNotLookIsFound() throws InterruptedException {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.commit(Breach.TAKES_EXCLUSIVE_AS_SHARED);
        assertThat(rulesBroken(store, new MemoryRegister(false))).contains("write");
    }
}
