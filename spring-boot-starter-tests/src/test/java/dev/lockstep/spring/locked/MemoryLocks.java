package dev.lockstep.spring.locked;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Locked methods on locks in memory, which can be told to fail. */
@Configuration(proxyBeanMethods = false)
@Import(LockedConfiguration.class)
class MemoryLocks {
    @Bean
    FaultyStore store() {
        return FaultyStore.around(MemoryStore.create());
    }

    @Bean
    Locks locks(FaultyStore store, Environment environment) {
        return Locks.builder(store)
                .defaultWait(Duration.parse(environment.getProperty("lock.wait", "PT5M")))
                .defaultTerm(Duration.parse(environment.getProperty("lease.term", "PT5M")))
                .build();
    }

    @Bean
    Kinds kinds() {
        return Kinds.of(Tenancy.values());
    }
}
