package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.spring.LockstepStartException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications to start with other properties and beans. */
final class Applications {
    private Applications() {}

    /** Without a DataSource and a Redis connection. */
    static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LockstepAutoConfiguration.class, LockstepInventoryAutoConfiguration.class));
    }

    /** With a DataSource and a Redis connection as Spring Boot makes them of properties. */
    static ApplicationContextRunner connected() {
        return plain().withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withPropertyValues("lockstep.inventory.enabled=false");
    }

    /** Why an application didn't start. */
    static LockstepStartException refusal(
            ApplicationContextAssertProvider<? extends ConfigurableApplicationContext> context) {
        Throwable cause = context.getStartupFailure();
        assertThat(cause).as("the application has started").isNotNull();
        while (cause != null && !(cause instanceof LockstepStartException)) {
            cause = cause.getCause();
        }
        assertThat(cause).as(String.valueOf(context.getStartupFailure())).isNotNull();
        return (LockstepStartException) cause;
    }
}
