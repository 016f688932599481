package dev.lockstep.spring.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The responses of a web application to requests whose locks are unavailable. It comes last, because advice without an order is used in the
 * order of registration.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnWebApplication
@ConditionalOnClass(RestControllerAdvice.class)
@ConditionalOnBooleanProperty(name = "lockstep.web.problems", matchIfMissing = true)
public final class LockProblemAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    LockProblemAdvice lockstepProblemAdvice() {
        return new LockProblemAdvice();
    }
}
