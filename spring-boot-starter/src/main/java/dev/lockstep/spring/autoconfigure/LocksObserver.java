package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Locks;
import dev.lockstep.spring.actuate.LockObservationConvention;
import dev.lockstep.spring.actuate.ObservedLocks;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Replaces beans of type {@code Locks} by {@link ObservedLocks}, the application's own included. */
final class LocksObserver implements BeanPostProcessor, PriorityOrdered {
    private final ObjectProvider<ObservationRegistry> registry;
    private final ObjectProvider<LockObservationConvention> convention;

    LocksObserver(ObjectProvider<ObservationRegistry> registry, ObjectProvider<LockObservationConvention> convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof Locks locks) || bean instanceof ObservedLocks) {
            return bean;
        }
        ObservationRegistry used = registry.getIfUnique();
        return used == null || used.isNoop()
                ? bean
                : new ObservedLocks(locks, used, convention.getIfUnique(LockObservationConvention::new));
    }

    /** Before those who make proxies, because their advice may need the locks early. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
