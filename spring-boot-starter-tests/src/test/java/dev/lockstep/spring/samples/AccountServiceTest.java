package dev.lockstep.spring.samples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.spring.samples.Tenancy.USER;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.LocksBuilderCustomizer;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@Tag("once")
// tag::spring-testing
@SpringBootTest(properties = {"lockstep.store=memory", "lockstep.wait=10ms"})
class AccountServiceTest {
    @Autowired
    AccountService accounts;

    @Autowired
    Locks locks;

    @Test
    void waitsForTheHolderOfTheUser() {
        Lease elsewhere = CompletableFuture.supplyAsync(() -> locks.acquire(exclusive(USER.key("u1"))))
                .join(); // another thread: in this one the request would be nested
        try (elsewhere) {
            assertThatThrownBy(() -> accounts.close("u1", "a1")).isInstanceOf(LockTimeoutException.class);
        }
        accounts.close("u1", "a1");
    }
    // end::spring-testing

    /** No more than the sample needs. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockstepAutoConfiguration.class)
    @Import(AccountService.class)
    static class Application {
        /** A lease must not expire on a machine that stands still. */
        @Bean
        LocksBuilderCustomizer longTerm() {
            return builder -> builder.defaultTerm(Duration.ofMinutes(5));
        }
    }
}
