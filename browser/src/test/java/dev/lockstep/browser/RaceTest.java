package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Four tabs race for one lease that has ended, with stalls at every step of the transactions. */
@UsesChromium
class RaceTest {
    private static final int TABS = 4;

    /** Which tabs have Web Locks. */
    enum Path {
        WEB_LOCKS,
        FALLBACK,
        MIXED;

        boolean hasWebLocks(int tab) {
            return this == WEB_LOCKS || (this == MIXED && tab % 2 == 0);
        }
    }

    @ParameterizedTest(name = "on the path {0}")
    @EnumSource
    @DisplayName("Four tabs race for one expired lease: one winner, and fences that rise")
    void oneWinner(Path path, Tabs tabs) {
        List<Tab> racers = open(tabs, path, "stalling-opfs-files.js");
        long lastFence = 0;
        for (int round = 0; round < Scale.pick(12, 500); round++) {
            List<Tab> winners = race(racers, "acquire-timeout");
            assertThat(winners).as("winners of round %d", round).hasSize(1);
            Number fence = (Number) winners.get(0).run("return JSON.parse(await read('.lock.fence')).fence;");
            assertThat(fence.longValue()).isGreaterThan(lastFence);
            lastFence = fence.longValue();
            assertThat(release(winners.get(0))).isEqualTo(List.of("acquired", "released"));
        }
    }

    @Test
    @DisplayName("Without the guard, the race sees two winners")
    void raceCatchesMissingGuard(Tabs tabs) {
        List<Tab> racers = open(tabs, Path.FALLBACK, "unguarded-opfs-files.js");
        int most = 0;
        for (int round = 0; most < 2 && round < 100; round++) {
            List<Tab> winners = race(racers, "acquire-timeout", "fallback-read-failed", "fallback-write-failed");
            most = Math.max(most, winners.size());
            winners.forEach(winner -> winner.run("await failure(releaseProjectLock({ lease: held }));"));
        }
        assertThat(most).isGreaterThan(1);
    }

    private static List<Tab> open(Tabs tabs, Path path, String files) {
        tabs.serveModules("/racing/", "opfs-files.js", files);
        tabs.useModules("/racing/");
        List<Tab> racers = IntStream.range(0, TABS)
                .mapToObj(tab -> path.hasWebLocks(tab) ? tabs.open() : tabs.openWithoutWebLocks())
                .toList();
        racers.forEach(racer ->
                racer.run("window.go = new BroadcastChannel('go'); await withProjectLock({}, async () => {});"));
        return racers;
    }

    /** One round. Answers who was granted the lease; the others may fail with these codes: without a guard files are read half written. */
    private static List<Tab> race(List<Tab> racers, String... codes) {
        racers.get(0)
                .run(
                        "await write('.lock', JSON.stringify({ leaseId: crypto.randomUUID(), expiresAt: Date.now() - 1 }));");
        for (Tab racer : racers) {
            racer.run("window.expected = given;", List.of(codes));
            racer.start("""
                    events.length = 0;
                    await new Promise((resolve) => { go.onmessage = resolve; });
                    window.held = undefined;
                    await acquireProjectLock({ maxWaitMs: 100 * Math.random() }).then(
                      ({ lease }) => { window.held = lease; },
                      (error) => { if (!window.expected.includes(error.code)) throw error; });
                    """);
        }
        racers.get(0).run("new BroadcastChannel('go').postMessage('go');");
        racers.forEach(Tab::result);
        List<Tab> winners = new ArrayList<>();
        for (Tab racer : racers) {
            if ((boolean) racer.run("return window.held !== undefined;")) {
                winners.add(racer);
            }
        }
        return winners;
    }

    /** Releases, and answers what the winner was told since the start, other than of waiting. */
    private static Object release(Tab winner) {
        return winner.run("""
                await releaseProjectLock({ lease: held });
                return types().filter((type) => type !== 'backoff' && type !== 'switch-to-fallback');
                """);
    }
}
