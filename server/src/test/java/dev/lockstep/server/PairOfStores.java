package dev.lockstep.server;

import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import org.springframework.context.annotation.Bean;

/** Two stores in memory that stand in for a Redis server and a database. Not a configuration, which every server would find. */
public class PairOfStores {
    @Bean
    AwayStore primary() {
        return new AwayStore("redis");
    }

    @Bean
    AwayStore secondary() {
        return new AwayStore("database");
    }

    @Bean
    LockStore pair(AwayStore primary, AwayStore secondary) {
        return FallbackStore.of(primary.store(), secondary.store())
                .epochTerm(Duration.ofSeconds(1))
                .longestTerm(Duration.ofSeconds(5))
                .unavailableAfter(Duration.ofMillis(500))
                .returnAfter(Duration.ofSeconds(1));
    }
}
