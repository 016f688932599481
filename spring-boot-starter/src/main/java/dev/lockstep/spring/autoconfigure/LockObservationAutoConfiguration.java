package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.actuate.LockObservationConvention;
import dev.lockstep.spring.actuate.SilentMeterHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Traces of waits and holds, where an application observes. */
@AutoConfiguration
@ConditionalOnClass(ObservationRegistry.class)
public final class LockObservationAutoConfiguration {
    @Bean
    static LocksObserver lockstepLocksObserving(
            ObjectProvider<ObservationRegistry> registry, ObjectProvider<LockObservationConvention> convention) {
        return new LocksObserver(registry, convention);
    }

    /** Where observations become meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterObservationHandler.class)
    static class Meters {
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE) // only the first handler that takes an observation makes meters of it
        @ConditionalOnMissingBean
        SilentMeterHandler lockstepSilentMeterHandler() {
            return new SilentMeterHandler();
        }
    }
}
