package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.LocksBuilderCustomizer;
import dev.lockstep.spring.StoreDoctor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The locks of an application, on the store that {@code lockstep.store} names. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "lockstep.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LockstepProperties.class)
@Import({DatabaseStores.class, PoolSizes.class, RedisStores.class, EtcdStores.class, ApplicationRedisConnection.class})
public final class LockstepAutoConfiguration {
    /** Refuses a Spring Boot that is too old. */
    public LockstepAutoConfiguration() {
        RequiredBoot.check(SpringBootVersion.getVersion());
    }

    @Bean
    @ConditionalOnMissingBean
    Kinds lockstepKinds(LockstepProperties properties) {
        return ConfiguredKinds.of(properties);
    }

    @Bean
    MemoryStoreFactory lockstepMemoryStores() {
        return new MemoryStoreFactory();
    }

    @Bean
    @ConditionalOnMissingBean
    Locks lockstepLocks(
            LockstepProperties properties,
            Environment environment,
            LockStore store,
            ObjectProvider<StoreMaking> making,
            Kinds kinds,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LocksBuilderCustomizer> customizers) {
        return new LocksOpening(properties, environment, store, making.getIfAvailable() != null, kinds)
                .open(
                        listeners.orderedStream().toList(),
                        customizers.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(StoreDoctor.class)
    @ConditionalOnSingleCandidate(Locks.class)
    SnapshotDoctor lockstepSnapshotDoctor(Locks locks) {
        return new SnapshotDoctor(locks);
    }

    /** Where the application has no store of its own. It comes before the locks, whose condition is the same. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({LockStore.class, Locks.class})
    static class NamedStore {
        @Bean
        StoreMaking lockstepStoreMaking(
                LockstepProperties properties,
                ObjectProvider<StoreFactory> factories,
                ObjectProvider<DatabaseStores.Fallback> fallback) {
            StoreChoice main = StoreChoice.of(properties, factories);
            if (main.type() == StoreType.MEMORY) {
                return main;
            }
            return properties.fallback().store() == null
                    ? FallbackSettings.refuseUnused(properties, main)
                    : PairChoice.of(main, properties, fallback);
        }

        /** Closed by the locks, after their last lease. */
        @Bean(destroyMethod = "")
        @DependsOnDatabaseInitialization
        LockStore lockstepStore(StoreMaking making, Kinds kinds) {
            return making.open(kinds);
        }

        @Bean
        @ConditionalOnMissingBean
        StoreDoctor lockstepDoctor(StoreMaking making, LockStore store) {
            return making.doctor(store);
        }
    }
}
