package dev.lockstep.server;

import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;

/**
 * Two stores in memory that stand in for a Redis server and a database, on a clock that the test moves. Not a configuration, which every server
 * would find.
 */
public class PairOfStores {
    @Bean
    FakeClock pairClock() {
        return new FakeClock();
    }

    @Bean
    AwayStore primary(FakeClock clock) {
        return new AwayStore("redis", clock);
    }

    @Bean
    AwayStore secondary(FakeClock clock) {
        return new AwayStore("database", clock);
    }

    @Bean
    FallbackStore pair(AwayStore primary, AwayStore secondary) {
        return FallbackStore.of(primary.store(), secondary.store())
                .epochTerm(Duration.ofSeconds(1))
                .longestTerm(Duration.ofSeconds(5))
                .unavailableAfter(Duration.ofMillis(500))
                .returnAfter(Duration.ofSeconds(1));
    }
}
