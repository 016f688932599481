package dev.lockstep.spring.actuate;

import static dev.lockstep.testservers.ServerKind.POSTGRES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("slow")
@Tag("once")
@UsesServer(POSTGRES)
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class StoreHealthOnPostgresTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    private static ApplicationContextRunner runner(PrivateServer server) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        LockstepAutoConfiguration.class,
                        StoreHealthAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + server.jdbcUrl(),
                        "spring.datasource.username=" + server.user(),
                        "spring.datasource.password=" + server.password(),
                        "spring.datasource.hikari.connection-timeout=20000",
                        "spring.datasource.hikari.validation-timeout=400",
                        "lockstep.store=postgresql",
                        "lockstep.kinds-from=dev.lockstep.testkit.Tenancy",
                        "management.health.lockstep.interval=50ms");
    }

    private static void awaitStatus(HealthIndicator indicator, Status status) {
        await().atMost(SOON).until(() -> indicator.health().getStatus().equals(status));
    }

    @Test
    void healthIsDownWhileTheServerIsStoppedAndUpAgainAfterwards(PrivateServer server) {
        runner(server).run(context -> {
            HealthIndicator indicator = context.getBean(StoreHealthIndicator.class);
            awaitStatus(indicator, Status.UP);
            server.stop();
            awaitStatus(indicator, Status.DOWN);
            Health down = indicator.health();
            assertThat(down.getDetails().toString()).contains("whatToDo");
            server.restart();
            awaitStatus(indicator, Status.UP);
        });
    }

    @Test
    void hungServerIsDownWithoutHangingTheProbe(PrivateServer server) {
        runner(server)
                .withPropertyValues("management.health.lockstep.timeout=1s")
                .run(context -> {
                    HealthIndicator indicator = context.getBean(StoreHealthIndicator.class);
                    awaitStatus(indicator, Status.UP);
                    server.pause();
                    try {
                        awaitStatus(indicator, Status.DOWN);
                    } finally {
                        server.resume();
                    }
                    awaitStatus(indicator, Status.UP);
                });
    }
}
