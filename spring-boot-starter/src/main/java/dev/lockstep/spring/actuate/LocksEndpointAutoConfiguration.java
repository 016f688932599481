package dev.lockstep.spring.actuate;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The endpoint that shows who holds and who waits. */
@AutoConfiguration(afterName = "dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration")
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public final class LocksEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(Locks.class)
    LocksEndpoint lockstepLocksEndpoint(Locks locks, ObjectProvider<Kinds> kinds) {
        return new LocksEndpoint(locks, kinds.getIfUnique(Kinds::of));
    }
}
