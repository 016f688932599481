package dev.lockstep.core.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Scale;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Pairs of several processes on simulated servers, lines and clocks: never two holders, tokens rise, and everyone is served when the
 * faults are over.
 */
class FallbackSimulationTest {
    private static final FallbackOptions OPTIONS = FallbackOptions.DEFAULT
            .epochTerm(Duration.ofSeconds(2))
            .longestTerm(Duration.ofSeconds(3))
            .unavailableAfter(Duration.ofMillis(500))
            .returnAfter(Duration.ofSeconds(4));

    @Test
    void neverTwoHoldersAndEveryoneRecovers() {
        Sum sum = new Sum();
        for (int seed = 1; seed <= runs(); seed++) {
            sum.add(run(seed, OPTIONS));
        }
        assertThat(sum.grants).as("grants").isGreaterThan(runs() * 10);
        assertThat(sum.switches).as("switches").isGreaterThan(runs());
    }

    @Test
    void withoutTheSecondaryOnlyEpochsOverlap() {
        FallbackOptions fenced = OPTIONS.withoutSecondary(WithoutSecondary.KEEP_FENCED);
        Sum sum = new Sum();
        for (int seed = 1; seed <= runs(); seed++) {
            sum.add(run(seed, fenced));
        }
        assertThat(sum.grants).as("grants").isGreaterThan(runs() * 10);
    }

    private static int runs() {
        return Scale.pick(15, 20, 600);
    }

    private static SimWorld run(int seed, FallbackOptions options) {
        SimWorld world = new SimWorld(seed, options);
        try {
            world.live(Duration.ofMinutes(5));
            world.makePeace();
            world.live(Duration.ofMinutes(1)); // a switch and its quiet time, and one back
        } catch (AssertionError e) {
            throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
        }
        assertThat(world.everyoneWasServedInPeace())
                .as("everyone is served after the faults, seed %s", seed)
                .isTrue();
        return world;
    }

    private static final class Sum {
        int grants;
        int switches;

        void add(SimWorld world) {
            grants += world.grants;
            switches += world.switches;
        }
    }
}
