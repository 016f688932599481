package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.spring.actuate.InventoryMeters;
import dev.lockstep.spring.actuate.LockMeters;
import dev.lockstep.spring.actuate.LockObservationContext;
import dev.lockstep.spring.actuate.LockObservationConvention;
import dev.lockstep.spring.actuate.LocksEndpoint;
import dev.lockstep.spring.actuate.LocksEndpointAutoConfiguration;
import dev.lockstep.spring.actuate.ObservedLocks;
import dev.lockstep.spring.actuate.SilentMeterHandler;
import dev.lockstep.spring.actuate.StoreHealthAutoConfiguration;
import dev.lockstep.spring.actuate.StoreHealthIndicator;
import dev.lockstep.testkit.Tenancy;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Tag("once")
class ActuateConditionsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockstepAutoConfiguration.class,
                    StoreHealthAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class,
                    LockMetersAutoConfiguration.class,
                    LockObservationAutoConfiguration.class))
            .withPropertyValues("lockstep.store=memory", "lockstep.kinds-from=dev.lockstep.testkit.Tenancy");

    private final ApplicationContextRunner observing = runner.withConfiguration(AutoConfigurations.of(
            MetricsAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class,
            ObservationAutoConfiguration.class));

    @Test
    void withNothingToTellThereAreOnlyLocksAndHealth() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(StoreHealthIndicator.class);
            assertThat(context).doesNotHaveBean(LocksEndpoint.class);
            assertThat(context).doesNotHaveBean(LockMeters.class);
            assertThat(context.getBean(Locks.class)).isNotInstanceOf(ObservedLocks.class);
        });
    }

    @Test
    void nothingFailsWithoutActuatorAndMicrometer() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("lockstep.store=memory", "lockstep.kinds-from=dev.lockstep.testkit.Tenancy")
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate", "org.springframework.boot.health", "io.micrometer"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Locks.class);
                    context.getBean(Locks.class)
                            .acquire(exclusive(Tenancy.user("u1")))
                            .close();
                });
    }

    @Test
    void nothingFailsWithoutTheOtherModules() {
        observing
                .withClassLoader(new FilteredClassLoader("dev.lockstep.jdbc", "dev.lockstep.inventory"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockMeters.class));
    }

    @Test
    void nothingFailsWithoutLocks() {
        observing
                .withPropertyValues("lockstep.enabled=false", "management.endpoints.web.exposure.include=*")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(LockMeters.class)
                        .doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void nothingFailsWithActuatorAlone() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(StoreHealthIndicator.class));
        runner.withClassLoader(new FilteredClassLoader(Endpoint.class, HealthIndicator.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Locks.class));
    }

    @Test
    void healthCanBeSwitchedOff() {
        runner.withPropertyValues("management.health.lockstep.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(StoreHealthIndicator.class));
        runner.withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(StoreHealthIndicator.class));
    }

    @Test
    void healthRefusesATimeoutOfZero() {
        runner.withPropertyValues("management.health.lockstep.timeout=0s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("management.health.lockstep.timeout is PT0S. Give more than zero"));
    }

    @Test
    void endpointIsThereWhereItIsExposed() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=locks")
                .run(context -> assertThat(context).hasSingleBean(LocksEndpoint.class));
        runner.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=locks")
                .run(context -> assertThat(context).hasSingleBean(LocksEndpoint.class));
        runner.withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.locks.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void metersComeWithARegistry() {
        runner.withBean(SimpleMeterRegistry.class)
                .run(context ->
                        assertThat(context).hasSingleBean(LockMeters.class).doesNotHaveBean(InventoryMeters.class));
    }

    @Test
    void observationsMakeNoSecondMeters() {
        observing.run(context -> {
            Locks locks = context.getBean(Locks.class);
            assertThat(locks).isInstanceOf(ObservedLocks.class);
            assertThat(context).hasSingleBean(SilentMeterHandler.class);
            locks.run(exclusive(Tenancy.user("u1")), lease -> {});
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().until(() -> registry.find("lockstep.hold").timer() != null);
            assertThat(registry.get("lockstep.acquire").timers()).hasSize(1);
            assertThat(registry.get("lockstep.acquire").timer().count()).isEqualTo(1);
            assertThat(registry.get("lockstep.hold").timers()).hasSize(1);
            assertThat(registry.find("lockstep.acquire.active").meters()).isEmpty();
        });
    }

    @Test
    void applicationsOwnLocksAreObservedAndMeteredToo() {
        observing.withUserConfiguration(OwnLocks.class).run(context -> {
            assertThat(context.getBean(Locks.class)).isInstanceOf(ObservedLocks.class);
            assertThat(context).hasSingleBean(LockMeters.class).hasSingleBean(StoreHealthIndicator.class);
        });
    }

    @Test
    void locksAreClosedWithTheApplication() {
        Locks[] closed = new Locks[1];
        observing.run(context -> closed[0] = context.getBean(Locks.class));
        assertThat(closed[0].figures().held()).isZero();
        assertThatThrownBy(() -> closed[0].acquire(exclusive(Tenancy.user("u1"))))
                .hasMessageContaining("closed");
    }

    @Test
    void conventionCanBeReplaced() {
        runner.withUserConfiguration(OwnConvention.class).run(context -> {
            context.getBean(Locks.class).acquire(exclusive(Tenancy.user("u1"))).close();
            TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                    .hasObservationWithNameEqualTo("lockstep.acquire")
                    .that()
                    .hasLowCardinalityKeyValue("tenant", "blue")
                    .hasLowCardinalityKeyValue("outcome", "granted");
        });
    }

    /** Reads conditions from class files, as applications do: a condition's own class may be missing. */
    @ImportAutoConfiguration({
        LockstepAutoConfiguration.class,
        StoreHealthAutoConfiguration.class,
        LocksEndpointAutoConfiguration.class,
        LockMetersAutoConfiguration.class,
        LockObservationAutoConfiguration.class
    })
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class OwnLocks {
        @Bean
        Locks own() {
            return Locks.on(MemoryStore.create());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConvention {
        @Bean
        TestObservationRegistry registry() {
            return TestObservationRegistry.create();
        }

        @Bean
        LockObservationConvention convention() {
            return new LockObservationConvention() {
                @Override
                public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
                    return super.getLowCardinalityKeyValues(context).and("tenant", "blue");
                }
            };
        }
    }
}
