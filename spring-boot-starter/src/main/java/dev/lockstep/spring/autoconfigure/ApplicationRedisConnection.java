package dev.lockstep.spring.autoconfigure;

import dev.lockstep.redis.RedisLockStore;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where the application has a Redis connection that Spring Boot made. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisLockStore.class, DataRedisConnectionDetails.class})
@ConditionalOnBean(DataRedisConnectionDetails.class)
final class ApplicationRedisConnection {
    @Bean
    ApplicationRedis lockstepApplicationRedis(
            DataRedisConnectionDetails details, ConfigurableListableBeanFactory beans) {
        return new ApplicationRedis(details, beans);
    }
}
