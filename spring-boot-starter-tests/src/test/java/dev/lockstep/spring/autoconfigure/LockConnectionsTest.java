package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.spring.LeaseConnections;
import dev.lockstep.spring.LockstepStartException;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Locks never take all connections of a pool. */
@Tag("once")
class LockConnectionsTest {
    @EnableConfigurationProperties(LockstepProperties.class)
    private static final class Bound {}

    @ParameterizedTest
    @CsvSource({"3,true,1", "4,true,2", "10,true,5", "40,true,16", "2,false,1", "10,false,9", "40,false,16"})
    @DisplayName("without lockstep.connections, half of a shared pool, or all but one of an own one, and 16 at most")
    void byDefault(int pool, boolean shared, int connections) {
        assertThat(LockConnections.of(null, OptionalInt.of(pool), shared, false))
                .isEqualTo(connections);
    }

    @Test
    @DisplayName("a pool of unknown size is taken for large enough")
    void unknown() {
        assertThat(LockConnections.of(null, OptionalInt.empty(), true, false)).isEqualTo(16);
        assertThat(LockConnections.of(100, OptionalInt.empty(), true, false)).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({"8,10,true", "9,10,false", "1,3,true", "1,2,false"})
    @DisplayName("what just fits is taken")
    void fits(int connections, int pool, boolean shared) {
        assertThat(LockConnections.of(connections, OptionalInt.of(pool), shared, false))
                .isEqualTo(connections);
    }

    @ParameterizedTest
    @CsvSource({
        "9,10,true,maximum-pool-size=11,lockstep.connections=8 or less",
        "10,10,false,maximum-pool-size=11,lockstep.connections=9 or less",
        "16,2,true,maximum-pool-size=18,@LockstepDataSource"
    })
    @DisplayName("what doesn't fit is refused with the numbers to write")
    void refused(int connections, int pool, boolean shared, String larger, String orElse) {
        assertThatThrownBy(() -> LockConnections.of(connections, OptionalInt.of(pool), shared, false))
                .isInstanceOfSatisfying(
                        LockstepStartException.class,
                        refusal -> assertThat(refusal.action()).contains(larger, orElse));
    }

    @Test
    @DisplayName("a store that is one of a pair needs one connection more")
    void paired() {
        assertThat(LockConnections.of(null, OptionalInt.of(10), false, true)).isEqualTo(8);
        assertThatThrownBy(() -> LockConnections.of(8, OptionalInt.of(10), true, true))
                .isInstanceOf(LockstepStartException.class);
    }

    @Test
    @DisplayName("the size is read from the pool, also from HikariCP's default before its first connection")
    void poolSizes() {
        ApplicationContextRunner runner = Applications.connected()
                .withPropertyValues("lockstep.store=mysql", "spring.datasource.url=jdbc:h2:mem:pool");
        runner.withPropertyValues("lockstep.connections=9")
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("has 10 connections"));
        runner.withPropertyValues("lockstep.connections=9", "spring.datasource.hikari.maximum-pool-size=5")
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("has 5 connections"));
        runner.withPropertyValues("lockstep.connections=9", "spring.datasource.hikari.maximum-pool-size=11")
                .run(context -> assertThat(Applications.refusal(context).description())
                        .doesNotContain("connections")
                        .contains("H2"));
    }

    @Test
    @DisplayName(
            "how many leases a store has connections for is known without lockstep.connections, before it is opened")
    void leases() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withUserConfiguration(DatabaseStores.class, PoolSizes.class, Bound.class)
                .withPropertyValues("lockstep.store=mysql", "spring.datasource.url=jdbc:h2:mem:leases")
                .run(context -> {
                    LeaseConnections leases = context.getBean(LeaseConnections.class);
                    assertThat(leases.of("mysql")).hasValue(5);
                    assertThat(leases.of("redis")).isEmpty();
                    assertThat(leases.of("postgresql")).isEmpty();
                });
    }

    @Test
    @DisplayName("without a DataSource, or with several, the error says what to write")
    void noDataSource() {
        Applications.plain().withPropertyValues("lockstep.store=postgresql").run(context -> {
            assertThat(Applications.refusal(context).description()).contains("there is none");
            assertThat(Applications.refusal(context).action()).contains("spring.datasource.url");
        });
    }
}
