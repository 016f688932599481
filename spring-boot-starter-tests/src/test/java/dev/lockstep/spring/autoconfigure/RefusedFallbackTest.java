package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.actuate.FallbackMeters;
import dev.lockstep.spring.actuate.StoreHealthAutoConfiguration;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A fallback that can't be one doesn't start, and is told what to write. */
@Tag("once")
class RefusedFallbackTest {
    private static final String REDIS = "lockstep.redis.url=redis://127.0.0.1:1";

    private static LockstepStartException refusal(ApplicationContextRunner runner, String... properties) {
        LockstepStartException[] refusal = new LockstepStartException[1];
        runner.withPropertyValues(properties).run(context -> refusal[0] = Applications.refusal(context));
        return refusal[0];
    }

    @ParameterizedTest
    @CsvSource({
        "redis, lockstep.fallback.store=redis, can't keep the register, 'mysql, mariadb, postgresql'",
        "redis, lockstep.fallback.store=memory, can't keep the register, 'mysql, mariadb, postgresql'",
        "redis, lockstep.fallback.epoch-term=5s, no fallback, lockstep.fallback.store=",
        "redis, lockstep.fallback.data-source=x, no fallback, lockstep.fallback.store="
    })
    @DisplayName("stores that can't be a pair, and settings without one, are refused")
    void stores(String main, String setting, String what, String action) {
        LockstepStartException refusal = refusal(Applications.plain(), "lockstep.store=" + main, setting);
        assertThat(refusal.description()).contains(what);
        assertThat(refusal.action()).contains(action);
    }

    @ParameterizedTest
    @CsvSource({
        "lockstep.fallback.epoch-term=0s, lockstep.fallback.epoch-term is 0ms, such as 10s",
        "lockstep.fallback.longest-term=2d, lockstep.fallback.longest-term is, such as 30s",
        "lockstep.fallback.name=, lockstep.fallback.name is '', 1 to 64",
        "lockstep.term=31s, lockstep.term is 31000ms, shorter lockstep.term",
        "lockstep.fallback.longest-term=40s, longest term on Redis is 30000ms, lockstep.redis.longest-term=40000ms"
    })
    @DisplayName("settings that can't be meant are refused")
    void settings(String setting, String what, String action) {
        LockstepStartException refusal = refusal(
                Applications.plain(),
                "lockstep.store=redis",
                "lockstep.fallback.store=postgresql",
                "lockstep.redis.longest-term=30s",
                setting);
        assertThat(refusal.description()).contains(what);
        assertThat(refusal.action()).contains(action);
    }

    @Test
    @DisplayName("a fallback without a DataSource is refused with where one can come from")
    void noDataSource() {
        LockstepStartException refusal =
                refusal(Applications.plain(), "lockstep.store=redis", REDIS, "lockstep.fallback.store=postgresql");
        assertThat(refusal.description()).contains("lockstep.fallback.store=postgresql needs a DataSource", "none");
        assertThat(refusal.action()).contains("spring.datasource.url", "lockstep.fallback.data-source=");
    }

    @Test
    @DisplayName("a name that no DataSource has is refused with the names that there are")
    void unknownBean() {
        LockstepStartException refusal = refusal(
                Applications.connected(),
                "spring.datasource.url=jdbc:h2:mem:fallback",
                "lockstep.store=redis",
                REDIS,
                "lockstep.fallback.store=postgresql",
                "lockstep.fallback.data-source=nobody");
        assertThat(refusal.description()).contains("nobody", "names no bean");
        assertThat(refusal.action()).contains("dataSource");
    }

    @Test
    @DisplayName("beside a main store on a database, the fallback needs a DataSource that is not the same")
    void sameDataSource() {
        String[] common = {
            "spring.datasource.url=jdbc:h2:mem:fallback", "lockstep.store=mariadb", "lockstep.fallback.store=postgresql"
        };
        ApplicationContextRunner application = Applications.connected().withPropertyValues(common);
        assertThat(refusal(application).description()).contains("a separate DataSource");
        assertThat(refusal(application, "lockstep.fallback.data-source=dataSource")
                        .description())
                .contains("is the DataSource of the main store");
    }

    @Test
    @DisplayName("the variables of the command, LOCKSTEP_FALLBACK_URL and LOCKSTEP_FALLBACK_PASSWORD, are no settings")
    void variables() {
        Applications.plain()
                .withPropertyValues(
                        "lockstep.store=memory",
                        "lockstep.fallback.url=jdbc:postgresql://host/app",
                        "lockstep.fallback.password=x")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("a missing jar is named")
    void missingJar() {
        LockstepStartException refusal = refusal(
                Applications.plain().withClassLoader(new FilteredClassLoader(RowLockStore.class)),
                "lockstep.store=redis",
                REDIS,
                "lockstep.fallback.store=postgresql");
        assertThat(refusal).hasMessageStartingWith("lockstep.fallback.store=postgresql needs the jar");
        assertThat(refusal.action())
                .contains("dev.lockstep:lockstep-store-jdbc", "or choose another lockstep.fallback.store.");
    }

    @Test
    @DisplayName("a pair that the application makes itself has health and meters, too")
    void ownPair() {
        Applications.plain()
                .withConfiguration(
                        AutoConfigurations.of(LockMetersAutoConfiguration.class, StoreHealthAutoConfiguration.class))
                .withBean(SimpleMeterRegistry.class)
                .withBean(FallbackStore.class, () -> FallbackStore.of(MemoryStore.create(), MemoryStore.create()))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(FallbackMeters.class);
                    assertThat(context.getBean(dev.lockstep.spring.actuate.StoreHealthIndicator.class)
                                    .health()
                                    .getDetails())
                            .containsKey("fallback");
                });
    }
}
