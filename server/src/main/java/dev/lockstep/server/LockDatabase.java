package dev.lockstep.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.spring.LockstepDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The database of the locks, where {@code lockstep.server.lock-database.url} says that it is not the one of the stock. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("lockstep.server.lock-database.url")
class LockDatabase {
    @Bean(defaultCandidate = false)
    @LockstepDataSource
    HikariDataSource lockDataSource(
            @Value("${lockstep.server.lock-database.url}") String url,
            @Value("${lockstep.server.lock-database.username:#{null}}") @Nullable String user,
            @Value("${lockstep.server.lock-database.password:#{null}}") @Nullable String password,
            @Value("${lockstep.server.lock-database.connections:33}") int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("locks");
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }
}
