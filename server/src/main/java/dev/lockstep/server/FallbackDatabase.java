package dev.lockstep.server;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The database of the fallback, for {@code lockstep.fallback.data-source=fallbackDataSource}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("lockstep.server.fallback-database.url")
class FallbackDatabase {
    @Bean(defaultCandidate = false)
    HikariDataSource fallbackDataSource(ServerProperties properties) {
        return LockDatabase.pool("fallback", Objects.requireNonNull(properties.fallbackDatabase()));
    }
}
