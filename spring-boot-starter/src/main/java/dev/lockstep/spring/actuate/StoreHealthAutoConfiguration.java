package dev.lockstep.spring.actuate;

import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.StoreDoctor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the locks' store. */
@AutoConfiguration(afterName = "dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("lockstep")
@ConditionalOnSingleCandidate(Locks.class)
@EnableConfigurationProperties(StoreHealthProperties.class)
public final class StoreHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "lockstepHealthIndicator")
    @ConditionalOnSingleCandidate(StoreDoctor.class)
    StoreHealthIndicator lockstepHealthIndicator(
            StoreDoctor doctor, Locks locks, ObjectProvider<LockStore> store, StoreHealthProperties properties) {
        StoreHealthIndicator single =
                new StoreHealthIndicator(locks.storeName(), doctor, properties.interval(), properties.timeout());
        return store.getIfUnique() instanceof FallbackStore pair ? single.of(pair) : single;
    }
}
