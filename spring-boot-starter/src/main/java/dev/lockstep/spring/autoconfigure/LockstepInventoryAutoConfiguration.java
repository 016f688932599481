package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryListener;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The stock of an application, in its own database, where lockstep-inventory is on the class path. */
@AutoConfiguration(after = LockstepAutoConfiguration.class)
@ConditionalOnClass(Inventory.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "lockstep.inventory.enabled", matchIfMissing = true)
@EnableConfigurationProperties(InventoryProperties.class)
@Import(PoolSizes.class)
public final class LockstepInventoryAutoConfiguration {
    @Bean
    @DependsOnDatabaseInitialization
    @ConditionalOnMissingBean
    Inventory lockstepInventory(
            InventoryProperties properties,
            DataSource dataSource,
            ObjectProvider<PoolSize> pool,
            ObjectProvider<Locks> locks,
            ObjectProvider<LockStore> store,
            ObjectProvider<InventoryListener> listeners) {
        int workers = InventoryWorkers.of(
                properties.workers(),
                pool.getIfAvailable(() -> unknown -> OptionalInt.empty()).of(dataSource));
        return new InventoryOpening(properties, dataSource, workers)
                .open(locks, store, listeners.orderedStream().toList());
    }
}
