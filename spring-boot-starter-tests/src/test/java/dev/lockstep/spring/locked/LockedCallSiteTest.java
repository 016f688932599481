package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.outside.Counter;
import dev.lockstep.outside.Visitor;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Whoever waits in a locked method is shown with the line that called the method, not with a line of the proxy. */
@Tag("once")
class LockedCallSiteTest {
    private final AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(PlainLocks.class, Visitor.Desk.class, Visitor.Window.class);

    /** Without a store of the test kit's, whose lines would be taken for a caller's. */
    @Configuration(proxyBeanMethods = false)
    @Import(LockedConfiguration.class)
    static class PlainLocks {
        @Bean
        Locks locks() {
            return Locks.builder(MemoryStore.create())
                    .defaultTerm(Duration.ofMinutes(5))
                    .build();
        }

        @Bean
        Kinds kinds() {
            return Kinds.of(Tenancy.values());
        }
    }

    @AfterEach
    void end() {
        context.close();
    }

    @Test
    void throughAProxyOfAClass() {
        assertThat(siteOf(() -> Visitor.atDesk(context.getBean(Visitor.Desk.class))))
                .contains("Visitor.atDesk(Visitor.java:");
    }

    @Test
    void throughAProxyOfAnInterface() {
        assertThat(siteOf(() -> Visitor.atCounter(context.getBean(Counter.class))))
                .contains("Visitor.atCounter(Visitor.java:");
    }

    private String siteOf(Runnable call) {
        Locks locks = context.getBean(Locks.class);
        CompletableFuture<Void> waiting;
        String site;
        try (Lease held = locks.acquireAsync(exclusive(Tenancy.user("u1"))).join()) {
            assertThat(held.isHeld()).isTrue();
            waiting = CompletableFuture.runAsync(call);
            await().until(() -> locks.snapshot().waiters().stream()
                    .anyMatch(each -> each.callSite().isPresent()));
            site = locks.snapshot().waiters().get(0).callSite().orElseThrow().toString();
        }
        waiting.join();
        return site;
    }
}
