package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.server.AwayStore;
import dev.lockstep.server.RunningServer;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Liveness is about the process, readiness about the stores. */
@Tag("once")
class ProbesTest {
    @Configuration(proxyBeanMethods = false)
    static class OnAwayStore {
        @Bean
        AwayStore awayStore() {
            return new AwayStore("away", LockClock.system());
        }

        /** In place of the doctor, which knows the servers of the configuration only. */
        @Bean
        HealthIndicator lockstepHealthIndicator(AwayStore store) {
            return () -> {
                try {
                    store.store().ping();
                    return Health.up().build();
                } catch (LockException e) {
                    return Health.down().build();
                }
            };
        }
    }

    @Test
    void anUnreachableStoreIsNoReasonToRestartTheServer() throws Exception {
        try (RunningServer server = RunningServer.with(OnAwayStore.class, Map.of())) {
            assertThat(probe(server, "readiness")).startsWith("HTTP/1.1 200");
            server.bean(AwayStore.class).leave();
            assertThat(probe(server, "liveness")).startsWith("HTTP/1.1 200").endsWith("{\"status\":\"UP\"}");
            assertThat(probe(server, "readiness")).startsWith("HTTP/1.1 503");
            assertThat(LoggerFactory.getLogger(DataSourceHealthIndicator.class).isWarnEnabled())
                    .as("a stack trace for each probe while the database is unreachable")
                    .isFalse();
            server.bean(AwayStore.class).comeBack();
            assertThat(probe(server, "readiness")).startsWith("HTTP/1.1 200");
        }
    }

    private static String probe(RunningServer server, String name) throws Exception {
        return RawConnection.ask(server, "GET /actuator/health/" + name + " HTTP/1.1", "Host: localhost");
    }
}
