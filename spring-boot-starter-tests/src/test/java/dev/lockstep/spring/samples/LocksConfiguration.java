package dev.lockstep.spring.samples;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockListener;
import dev.lockstep.spring.LocksBuilderCustomizer;
import dev.lockstep.spring.LockstepDataSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that change what the properties make. */
@Configuration(proxyBeanMethods = false)
class LocksConfiguration {
    final AtomicInteger losses = new AtomicInteger();

    // tag::spring-data-source
    @Bean(defaultCandidate = false) // the application's own DataSource stays the one for everything else
    @LockstepDataSource
    @ConfigurationProperties("app.locks.datasource")
    DataSource locksDataSource() {
        return DataSourceBuilder.create().build();
    }
    // end::spring-data-source

    // tag::spring-beans
    @Bean
    LockListener lossesCounted() {
        return event -> {
            if (event instanceof LockEvent.Lost) {
                losses.incrementAndGet();
            }
        };
    }

    @Bean
    LocksBuilderCustomizer shortWaits() {
        return builder -> builder.defaultWait(Duration.ofMillis(200)); // after all properties
    }
    // end::spring-beans
}
