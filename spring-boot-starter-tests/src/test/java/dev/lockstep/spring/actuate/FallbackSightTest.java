package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** What is seen of a pair whose primary goes away. */
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class FallbackSightTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final FakeClock clock = new FakeClock();
    private final AwayStore primary = new AwayStore(clock);
    private final FallbackStore pair = FallbackStore.of(primary.store(), MemoryStore.on(clock))
            .epochTerm(Duration.ofSeconds(1))
            .longestTerm(Duration.ofSeconds(5))
            .unavailableAfter(Duration.ofMillis(500));
    private final Locks locks =
            Locks.builder(pair).defaultTerm(Duration.ofSeconds(5)).build();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final FallbackMeters meters = new FallbackMeters(pair, locks);

    @AfterEach
    void close() {
        meters.close();
        locks.close();
    }

    @Test
    @DisplayName("meters, health and the endpoint show the switch and the store in use")
    void theSwitchIsSeen() {
        meters.bindTo(registry);
        double epoch = gauge("epoch");
        assertThat(gauge("on.secondary")).isZero();
        assertThat(health().getStatus()).isEqualTo(Status.UP);
        primary.leave();
        passTimeUntil(() -> gauge("on.secondary") == 1 && gauge("granting") == 1);
        assertThat(gauge("epoch")).isEqualTo(epoch + 1);
        locks.run(exclusive(Tenancy.user("u1")).within(LONG), lease -> assertSeen());
    }

    private void assertSeen() {
        await().atMost(LONG)
                .until(() -> registry.get("lockstep.fallback.quiet").timer().count() == 1);
        assertThat(switches("secondary")).isOne();
        assertThat(switches("primary")).isZero();
        LocksReport report = new LocksEndpoint(locks, Kinds.of()).all(null, null);
        assertThat(report.holders()).hasSize(1);
        assertThat(report.fallback()).isNotNull();
        assertThat(report.fallback().primaryReachable()).isFalse();
        Health health = health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(details(health))
                .containsEntry("grants", "yes")
                .containsEntry("quietForMillis", 0L)
                .containsEntry("primaryReachable", false);
    }

    @Test
    @DisplayName("health is out of service while nothing is granted after a switch")
    void quietIsOutOfService() {
        meters.bindTo(registry);
        primary.leave();
        passTimeUntil(() -> pair.state().grants() == Grants.QUIET);
        Health health = health();
        assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(details(health)).containsEntry("grants", "quiet");
        assertThat(gauge("granting")).isZero();
    }

    /** Advances the clock until the condition holds. The clock stands still afterwards. */
    private void passTimeUntil(BooleanSupplier expected) {
        await().atMost(LONG).pollInterval(Duration.ofMillis(10)).until(() -> {
            boolean reached = expected.getAsBoolean();
            if (!reached) {
                clock.advance(Duration.ofMillis(100));
            }
            return reached;
        });
    }

    private double gauge(String name) {
        return registry.get("lockstep.fallback." + name).gauge().value();
    }

    private double switches(String to) {
        return registry.get("lockstep.fallback.switches")
                .tag("to", to)
                .counter()
                .count();
    }

    private Health health() {
        Diagnosis well = new Diagnosis(List.of(Finding.ok("The store in use answers.")));
        return new StoreHealthIndicator(pair.name(), () -> well, LONG, LONG)
                .of(pair)
                .health();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> details(Health health) {
        return (Map<String, Object>) health.getDetails().get("fallback");
    }
}
