package dev.lockstep.spring.leadership;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.actuate.LeadershipEndpoint;
import dev.lockstep.spring.actuate.LeadershipHealthIndicator;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import dev.lockstep.spring.locked.DefaultOwner;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The leaderships that {@code lockstep.leadership.keys} names. */
@AutoConfiguration(after = LockstepAutoConfiguration.class)
@ConditionalOnSingleCandidate(Locks.class)
@Conditional(AnyLeadership.class)
@EnableConfigurationProperties(LeadershipProperties.class)
public final class LeadershipAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Leaderships lockstepLeaderships(
            Locks locks,
            Kinds kinds,
            LeadershipProperties properties,
            Environment environment,
            ApplicationEventPublisher events) {
        String owner = environment.getProperty("lockstep.owner", DefaultOwner.in(environment));
        return new Leaderships(locks, kinds, owner, properties.keys(), events);
    }

    /** The view of the actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class View {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint(LeadershipEndpoint.class)
        LeadershipEndpoint lockstepLeadershipEndpoint(Leaderships leaderships) {
            return new LeadershipEndpoint(leaderships);
        }
    }

    /** The health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class LeadershipHealth {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnEnabledHealthIndicator("lockstep-leadership")
        LeadershipHealthIndicator lockstepLeadershipHealthIndicator(Leaderships leaderships) {
            return new LeadershipHealthIndicator(leaderships);
        }
    }
}
