package dev.lockstep.spring.autoconfigure;

import dev.lockstep.redis.RedisLockStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where lockstep-store-redis is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisLockStore.class)
final class RedisStores {
    @Bean
    RedisStoreFactory lockstepRedisStores(LockstepProperties properties, ObjectProvider<RedisUriSource> application) {
        return new RedisStoreFactory(properties, application);
    }
}
