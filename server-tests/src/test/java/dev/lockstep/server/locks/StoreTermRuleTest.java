package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.autoconfigure.LockstepProperties;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

@Tag("once")
class StoreTermRuleTest {
    private static final String LONGEST_LEASE = "lockstep.server.limits.longest-lease";

    private static void start(Map<String, String> properties) {
        Binder binder = new Binder(new MapConfigurationPropertySource(properties));
        var ignored = new StoreTermRule(
                binder.bindOrCreate("lockstep.server", ServerProperties.class),
                binder.bindOrCreate("lockstep", LockstepProperties.class));
    }

    @Test
    void leasesThatRedisWouldRefuseAreRefusedAtTheStart() {
        assertThatThrownBy(() -> start(Map.of("lockstep.store", "redis", LONGEST_LEASE, "31s")))
                .isInstanceOf(LockstepStartException.class)
                .hasStackTraceContaining(LONGEST_LEASE + " is 31000ms, and the longest term on Redis is 30000ms");
        assertThatThrownBy(() -> start(Map.of("lockstep.store", "redis", "lockstep.redis.longest-term", "20s")))
                .hasStackTraceContaining(LONGEST_LEASE + " is 30000ms, and the longest term on Redis is 20000ms");
    }

    @Test
    void whatRedisGrantsIsAllowedAndOtherStoresGrantAnything() {
        assertThatCode(() -> start(Map.of("lockstep.store", "redis"))).doesNotThrowAnyException();
        assertThatCode(() -> start(
                        Map.of("lockstep.store", "redis", "lockstep.redis.longest-term", "60s", LONGEST_LEASE, "60s")))
                .doesNotThrowAnyException();
        assertThatCode(() -> start(Map.of("lockstep.store", "memory", LONGEST_LEASE, "1h")))
                .doesNotThrowAnyException();
    }
}
