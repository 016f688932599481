package dev.lockstep.spring.autoconfigure;

import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.HikariDataSourcePoolMetadata;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where Spring Boot knows connection pools. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DataSourcePoolMetadataProvider.class)
final class PoolSizes {
    /** What HikariCP uses where nothing is set. It says so only after its first connection. */
    private static final int HIKARI_DEFAULT = 10;

    @Bean
    PoolSize lockstepPoolSize(ObjectProvider<DataSourcePoolMetadataProvider> providers) {
        return dataSource -> size(providers, dataSource);
    }

    private static OptionalInt size(ObjectProvider<DataSourcePoolMetadataProvider> providers, DataSource dataSource) {
        @Nullable
        DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(
                        providers.orderedStream().toList())
                .getDataSourcePoolMetadata(dataSource);
        @Nullable Integer most = pool == null ? null : pool.getMax();
        if (most != null && most >= 0) {
            return OptionalInt.of(most);
        }
        return pool instanceof HikariDataSourcePoolMetadata ? OptionalInt.of(HIKARI_DEFAULT) : OptionalInt.empty();
    }
}
