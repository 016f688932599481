package dev.lockstep.spring.locked;

import dev.lockstep.spring.Locked;
import dev.lockstep.spring.autoconfigure.LockObservationAutoConfiguration;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is observed of locked methods. */
@Tag("once")
class LockedObservationTest {
    static class Service {
        @Locked("user:#{#u}")
        public void call(String u) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Observing {
        @Bean
        TestObservationRegistry registry() {
            return TestObservationRegistry.create();
        }
    }

    @Test
    void theWaitIsObservedAndNotTheHold() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
                MemoryLocks.class, LockObservationAutoConfiguration.class, Observing.class, Service.class)) {
            context.getBean(Service.class).call("u1");
            TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                    .hasNumberOfObservationsEqualTo(1)
                    .hasObservationWithNameEqualTo("lockstep.acquire")
                    .that()
                    .hasBeenStopped()
                    .hasHighCardinalityKeyValueWithKey("lockstep.owner");
        }
    }
}
