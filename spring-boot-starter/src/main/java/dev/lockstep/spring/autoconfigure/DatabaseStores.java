package dev.lockstep.spring.autoconfigure;

import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.spring.LeaseConnections;
import dev.lockstep.spring.LockstepDataSource;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where lockstep-store-jdbc is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RowLockStore.class)
final class DatabaseStores {
    /** Creates the store of the fallback. A separate type, so that it isn't used for main stores. */
    record Fallback(DatabaseStoreFactory factory) {}

    @Bean
    DatabaseStoreFactory lockstepDatabaseStores(
            LockstepProperties properties,
            @LockstepDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> all,
            ObjectProvider<PoolSize> pool) {
        return new DatabaseStoreFactory(
                properties, new LockDataSource(marked, all), pool.getIfAvailable(() -> unknown -> OptionalInt.empty()));
    }

    @Bean
    Fallback lockstepFallbackDatabase(
            LockstepProperties properties,
            @LockstepDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> all,
            ObjectProvider<PoolSize> pool,
            ListableBeanFactory beans) {
        DataSourceFinder found = new FallbackDataSource(properties, new LockDataSource(marked, all), beans);
        return new Fallback(
                new DatabaseStoreFactory(properties, found, pool.getIfAvailable(() -> unknown -> OptionalInt.empty())));
    }

    @Bean
    LeaseConnections lockstepLeaseConnections(
            LockstepProperties properties, DatabaseStoreFactory main, Fallback fallback) {
        return store -> {
            for (StoreType type : StoreType.values()) {
                if (type.text().equals(store) && type == properties.store()) {
                    return main.leases(type);
                }
                if (type.text().equals(store) && type == properties.fallback().store()) {
                    return fallback.factory().leases(type);
                }
            }
            return OptionalInt.empty();
        };
    }
}
