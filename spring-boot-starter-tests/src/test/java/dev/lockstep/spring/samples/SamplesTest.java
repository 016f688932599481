package dev.lockstep.spring.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What the documentation shows can be started. */
@Tag("once")
class SamplesTest {
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, LockstepAutoConfiguration.class})
    static class Application {}

    private static ConfigurableApplicationContext start(Class<?> more, String... arguments) {
        return new SpringApplicationBuilder(Application.class, more)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    @Test
    @DisplayName("the first configuration, but for its server, makes locks for the service")
    void first() {
        try (ConfigurableApplicationContext context = start(
                AccountService.class,
                "--spring.config.location=classpath:samples/first.yaml",
                "--lockstep.store=memory")) {
            AccountService accounts = context.getBean(AccountService.class);
            accounts.close("u1", "a1");
            assertThat(accounts.isClosed("a1")).isTrue();
            assertThat(context.getBean(Kinds.class).find("account")).contains(Tenancy.ACCOUNT);
        }
    }

    @Test
    @DisplayName("kinds without an enum make keys")
    void kinds() {
        try (ConfigurableApplicationContext context =
                start(Application.class, "--spring.config.location=classpath:samples/kinds.yaml")) {
            assertThat(context.getBean(Kinds.class)
                            .parse("user:u/account:a/resource:r")
                            .kind()
                            .leaf())
                    .isTrue();
        }
    }

    @Test
    @DisplayName("the fallback is looked for on the application's DataSource, which is another database here")
    void fallback() {
        assertThatThrownBy(() -> start(Application.class, "--spring.config.location=classpath:samples/fallback.yaml"))
                .hasStackTraceContaining("Locks on postgresql can't be");
    }

    @Test
    @DisplayName("a DataSource for locks leaves the application's where it is, and beans change the locks")
    void beans() {
        try (ConfigurableApplicationContext context = start(
                LocksConfiguration.class,
                "--lockstep.store=memory",
                "--spring.datasource.url=jdbc:h2:mem:application",
                "--app.locks.datasource.jdbc-url=jdbc:h2:mem:locks")) {
            assertThat(context.getBean(Locks.class)).isNotNull();
            assertThat(context.getBean(DataSource.class)).isSameAs(context.getBean("dataSource"));
        }
    }
}
