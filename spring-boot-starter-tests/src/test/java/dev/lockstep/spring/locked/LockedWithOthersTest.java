package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.MapPropertySource;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Where the locks stand among what other annotations do. */
@Tag("once")
class LockedWithOthersTest {
    private final AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(MemoryLocks.class, Others.class, Service.class);
    private final Service service = context.getBean(Service.class);
    private final Locks locks = context.getBean(Locks.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableCaching
    @EnableResilientMethods
    static class Others {
        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager();
        }
    }

    static class Service {
        private final AtomicInteger attempts = new AtomicInteger();

        @Async
        @Locked(value = "user:#{#u}", within = "5m")
        public CompletableFuture<Thread> elsewhere(String u, CompletableFuture<?> end) {
            return end.thenApply(ended -> Thread.currentThread());
        }

        @Retryable(maxRetries = 1, delay = 0)
        @Locked("user:#{#u}")
        public int twice(String u) {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("once more");
            }
            return attempts.get();
        }

        @Cacheable("answers")
        @Locked("user:#{#u}")
        public int cached(String u) {
            return attempts.incrementAndGet();
        }
    }

    @AfterEach
    void end() {
        context.close();
    }

    private int acquired() {
        return context.getBean(FaultyStore.class).calls(FaultyStore.Call.ACQUIRE);
    }

    private boolean isFree() {
        return Elsewhere.isFree(locks, exclusive(Tenancy.user("u1")));
    }

    @Test
    void anAsynchronousMethodLocksOnItsOwnThreadUntilItsWorkIsDone() {
        CompletableFuture<String> end = new CompletableFuture<>();
        CompletableFuture<Thread> answer;
        try (Lease mine = locks.acquire(exclusive(Tenancy.user("u1")))) {
            answer = service.elsewhere("u1", end); // doesn't wait for the lock that this thread has
            assertThat(mine.isHeld()).isTrue();
        }
        await().until(() -> !isFree());
        end.complete("");
        assertThat(answer.join()).isNotNull();
        assertThat(isFree()).isTrue();
    }

    @Test
    void eachAttemptTakesTheLockAnew() {
        assertThat(service.twice("u1")).isEqualTo(2);
        assertThat(acquired()).isEqualTo(2);
    }

    /** Advice at the place that other libraries choose for their retries. */
    @Configuration(proxyBeanMethods = false)
    static class RetryByAdvice {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor retry() {
            MethodInterceptor retry = call -> {
                MethodInvocation again = ((ProxyMethodInvocation) call).invocableClone();
                try {
                    return call.proceed();
                } catch (LockTimeoutException e) {
                    return again.proceed();
                }
            };
            NameMatchMethodPointcut once = new NameMatchMethodPointcut();
            once.setMappedName("once");
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(once, retry);
            advisor.setOrder(Ordered.LOWEST_PRECEDENCE - 5);
            return advisor;
        }
    }

    static class Once {
        @Locked(value = "user:#{#u}", within = "1ms")
        public String once(String u) {
            return u;
        }
    }

    @ParameterizedTest
    @CsvSource({"2147483643, 2", "2147482647, 1"})
    void anOrderAboveThatOfARetryHasTimeoutsTriedAgain(String order, int attempts) {
        try (AnnotationConfigApplicationContext ordered = new AnnotationConfigApplicationContext()) {
            ordered.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", Map.of("lockstep.locked.order", order)));
            ordered.register(MemoryLocks.class, RetryByAdvice.class, Once.class);
            ordered.refresh();
            Lease held = ordered.getBean(Locks.class)
                    .acquireAsync(exclusive(Tenancy.user("u1")))
                    .join();
            Once bean = ordered.getBean(Once.class);
            assertThatThrownBy(() -> bean.once("u1")).isInstanceOf(LockTimeoutException.class);
            assertThat(ordered.getBean(FaultyStore.class).calls(FaultyStore.Call.ACQUIRE))
                    .isEqualTo(1 + attempts);
            held.close();
        }
    }

    @Test
    void aCachedAnswerIsGivenUnderTheLockToo() {
        assertThat(service.cached("u1")).isEqualTo(1);
        assertThat(service.cached("u1")).isEqualTo(1);
        assertThat(acquired()).isEqualTo(2);
    }
}
