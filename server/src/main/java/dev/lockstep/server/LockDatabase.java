package dev.lockstep.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.spring.LockstepDataSource;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The database of the locks, where {@code lockstep.server.lock-database.url} says that it is not the one of the stock. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("lockstep.server.lock-database.url")
class LockDatabase {
    @Bean(defaultCandidate = false)
    @LockstepDataSource
    HikariDataSource lockDataSource(ServerProperties properties) {
        return pool("locks", Objects.requireNonNull(properties.lockDatabase()));
    }

    static HikariDataSource pool(String name, ServerProperties.Database database) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(database.url());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(database.connections());
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }
}
