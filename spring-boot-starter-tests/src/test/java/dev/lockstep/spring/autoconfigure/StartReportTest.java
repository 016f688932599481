package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What an operator reads when an application doesn't start. */
@Tag("once")
@ExtendWith(OutputCaptureExtension.class)
class StartReportTest {
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockstepAutoConfiguration.class)
    static class Application {}

    private static void start(String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        assertThatThrownBy(() -> application.run(arguments).close()).isInstanceOf(RuntimeException.class);
    }

    @Test
    @DisplayName("a missing store is reported as description and action, without a stack trace")
    void missingStore(CapturedOutput output) {
        start();
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "Description:", "lockstep.store is not set", "Action:")
                .contains("memory, mysql, mariadb, postgresql, redis")
                .doesNotContain("at dev.lockstep");
    }

    @Test
    @DisplayName("an unknown store is reported with all that are known")
    void unknownStore(CapturedOutput output) {
        start("--lockstep.store=oracle");
        assertThat(output).contains("lockstep.store", "oracle", "MARIADB", "MEMORY", "MYSQL", "POSTGRESQL", "REDIS");
    }
}
