package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.Breach;
import dev.lockstep.testkit.FaultyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    /** Works until every thread had a turn and the checker finds this rule broken, or for a second if there is none. */
    private Set<String> rulesBroken(LockStore store, Register register, @Nullable String expected) throws Exception {
        try (History history = History.in(directory, "p0-0");
                Locks locks = Locks.builder(store).defaultTerm(TERM).build()) {
            Workload workload = new Workload(locks, LockClock.system(), () -> register, history, TERM);
            history.now("healed");
            workload.begin(THREADS, 7);
            long start = System.nanoTime();
            await().atMost(Caller.PATIENCE)
                    .pollDelay(Duration.ofSeconds(1))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() ->
                            EndRule.unservedSince(Records.in(directory), start).isEmpty()
                                    && (expected == null || rulesBroken().contains(expected)));
            assertThat(workload.end(Caller.PATIENCE)).isTrue();
        }
        assertThat(Records.in(directory).granted()).hasSizeGreaterThan(THREADS);
        return rulesBroken();
    }

    private Set<String> rulesBroken() {
        ChaosReport report = ChaosReport.of(Records.in(directory), Promise.LEASES_OUTLIVE_CONNECTIONS);
        assertThat(report.toString()).contains("granted");
        return report.violations().stream().map(Violation::rule).collect(Collectors.toSet());
    }

    @Test
    void aStoreThatKeepsItsContractIsClean() throws Exception {
        assertThat(rulesBroken(MemoryStore.create(), new MemoryRegister(true), null))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "FORGETS_GRANTS, overlap",
        "TAKES_EXCLUSIVE_AS_SHARED, overlap",
        "IGNORES_ANCESTORS, overlap",
        "REPEATS_TOKENS, token"
    })
    void aStoreThatBreaksItIsFound(Breach breach, String rule) throws Exception {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.commit(breach);
        assertThat(rulesBroken(store, new MemoryRegister(true), rule)).contains(rule);
    }

    @Test
    void aGuardThatDoesNotLookIsFound() throws Exception {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        store.commit(Breach.TAKES_EXCLUSIVE_AS_SHARED);
        assertThat(rulesBroken(store, new MemoryRegister(false), "write")).contains("write");
    }
}
