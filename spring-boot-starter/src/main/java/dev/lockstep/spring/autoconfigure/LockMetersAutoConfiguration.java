package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.spring.actuate.FallbackMeters;
import dev.lockstep.spring.actuate.InventoryMeters;
import dev.lockstep.spring.actuate.LockMeters;
import dev.lockstep.spring.actuate.SharedRowMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters of locks and stock, where an application has a registry for them. */
@AutoConfiguration(
        afterName = {
            "dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration",
            "dev.lockstep.spring.autoconfigure.LockstepInventoryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class LockMetersAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(Locks.class)
    LockMeters lockstepLockMeters(Locks locks) {
        return new LockMeters(locks);
    }

    /** A single store has no such meters. */
    @Bean
    @ConditionalOnMissingBean(name = "lockstepFallbackMeters")
    @ConditionalOnSingleCandidate(Locks.class)
    MeterBinder lockstepFallbackMeters(Locks locks, ObjectProvider<LockStore> store) {
        return store.getIfUnique() instanceof FallbackStore pair ? new FallbackMeters(pair, locks) : registry -> {};
    }

    /** Where databases' row locks can be the store. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RowLockStore.class)
    static class SharedRows {
        /** Another store has no rows, and no such meter. */
        @Bean
        @ConditionalOnMissingBean(name = "lockstepSharedRowMeters")
        @ConditionalOnSingleCandidate(LockStore.class)
        MeterBinder lockstepSharedRowMeters(LockStore store) {
            return store instanceof RowLockStore rows ? new SharedRowMeters(rows) : registry -> {};
        }
    }

    /** Where there is stock. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Inventory.class)
    static class Stock {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(Inventory.class)
        InventoryMeters lockstepInventoryMeters(Inventory inventory) {
            return new InventoryMeters(inventory);
        }
    }
}
