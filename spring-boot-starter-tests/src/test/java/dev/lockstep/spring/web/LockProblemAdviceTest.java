package dev.lockstep.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.spring.autoconfigure.LockedAutoConfiguration;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import dev.lockstep.testkit.Tenancy;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.ResponseStatusException;

/** What a client gets when a lock is unavailable. */
@Tag("once")
class LockProblemAdviceTest {
    @RestController
    static class Accounts {
        @GetMapping("/users/{user}")
        @Locked(value = "user:#{#user}", within = "20ms")
        public String close(@PathVariable("user") String user) {
            return "closed " + user;
        }

        @GetMapping("/failures/{code}")
        public String fail(@PathVariable("code") ErrorCode code) {
            throw code == ErrorCode.INVALID_REQUEST
                    ? new InvalidRequestException("wrong")
                    : new LockException(code, "secret", List.of(), null);
        }

        @GetMapping("/wrapped/{wrapper}")
        public String failWrapped(@PathVariable("wrapper") String wrapper) throws Exception {
            LockException error = new LockException(ErrorCode.TIMEOUT, "secret", List.of(), null);
            throw switch (wrapper) {
                case "status" -> new ResponseStatusException(HttpStatus.CONFLICT, "busy", error);
                case "annotated" -> new Gone(error);
                case "future" -> new ExecutionException(new CompletionException(error));
                case "status-in-future" ->
                    new CompletionException(new ResponseStatusException(HttpStatus.CONFLICT, "busy", error));
                default -> new IllegalArgumentException(wrapper);
            };
        }
    }

    @ResponseStatus(HttpStatus.GONE)
    static class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Gone(Throwable cause) {
            super(cause);
        }
    }

    @RestControllerAdvice
    static class OwnHandler {
        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any(Exception error) {
            return ResponseEntity.status(418).body("own " + error.getClass().getSimpleName());
        }
    }

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockstepAutoConfiguration.class,
                    LockedAutoConfiguration.class,
                    LockProblemAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    HttpMessageConvertersAutoConfiguration.class,
                    WebMvcAutoConfiguration.class))
            .withPropertyValues("lockstep.store=memory", "lockstep.kinds-from=" + Tenancy.class.getName())
            .withBean(Accounts.class);

    private final Logger logger = (Logger) LoggerFactory.getLogger(LockProblemAdvice.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private void whileHeld(WebApplicationContextRunner runner, Consumer<MockMvcTester> check) {
        runner.run(context -> {
            try (Lease held = context.getBean(Locks.class)
                    .acquireAsync(LockRequest.exclusive(Tenancy.user("u1")))
                    .join()) { // not of this thread, whose requests would be nested
                assertThat(held.isHeld()).isTrue();
                check.accept(MockMvcTester.from(context));
            }
        });
    }

    @Test
    @DisplayName(
            "a wait that ends is 503 with Retry-After and a problem body without keys or holders, and one line in the log")
    void timeout() {
        whileHeld(application, http -> {
            MvcTestResult response = http.get().uri("/users/u1").exchange();
            assertThat(response).hasStatus(503).hasHeader("Retry-After", "1");
            assertThat(response).hasContentType("application/problem+json");
            assertThat(response).bodyJson().isStrictlyEqualTo("""
                            {"title": "Service Unavailable", "status": 503, "instance": "/users/u1", "code": "lock-timeout",
                             "detail": "Another request is working on the same data. Try again later."}
                            """);
            assertThat(log.list).singleElement().satisfies(line -> {
                assertThat(line.getFormattedMessage()).startsWith("Responding with 503: No lock on [user:u1]");
                assertThat(line.getThrowableProxy()).isNull();
            });
            assertThat(http.get().uri("/users/u2")).hasStatusOk().hasBodyTextEqualTo("closed u2");
        });
    }

    @Test
    @DisplayName("errors that trying again can't help are left to the application")
    void otherErrors() {
        application.run(context -> {
            MockMvcTester http = MockMvcTester.from(context);
            assertThat(http.get().uri("/failures/STORE_UNAVAILABLE"))
                    .hasStatus(503)
                    .bodyText()
                    .contains("Locks are unavailable now.")
                    .doesNotContain("secret");
            assertThat(http.get().uri("/failures/DEADLOCK")).hasStatus(503);
            assertThat(http.get().uri("/failures/INVALID_REQUEST"))
                    .failure()
                    .hasRootCauseInstanceOf(InvalidRequestException.class);
        });
    }

    @Test
    @DisplayName("a handler of the application takes precedence")
    void ownHandler() {
        whileHeld(
                application.withBean(OwnHandler.class),
                http -> assertThat(http.get().uri("/users/u1"))
                        .hasStatus(418)
                        .hasBodyTextEqualTo("own LockTimeoutException"));
    }

    @AutoConfiguration
    static class ZOtherStarter {
        @Bean
        OwnHandler otherAdvice() {
            return new OwnHandler();
        }
    }

    @Test
    @DisplayName("a handler of another starter takes precedence, whatever its name is")
    void otherStarter() {
        whileHeld(
                application.withConfiguration(AutoConfigurations.of(ZOtherStarter.class)),
                http -> assertThat(http.get().uri("/users/u1")).hasStatus(418));
    }

    @Test
    @DisplayName("lockstep.web.problems=false switches it off")
    void switchedOff() {
        whileHeld(
                application.withPropertyValues("lockstep.web.problems=false"),
                http -> assertThat(http.get().uri("/users/u1"))
                        .failure()
                        .hasRootCauseInstanceOf(LockTimeoutException.class));
    }

    @Test
    @DisplayName(
            "an error of the application that has a lock's error as its cause keeps its own status; one of a future doesn't count")
    void wrapped() {
        application.run(context -> {
            MockMvcTester http = MockMvcTester.from(context);
            assertThat(http.get().uri("/wrapped/status")).hasStatus(409);
            assertThat(http.get().uri("/wrapped/annotated")).hasStatus(410);
            assertThat(http.get().uri("/wrapped/status-in-future")).hasStatus(409);
            assertThat(http.get().uri("/wrapped/future")).hasStatus(503);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Reactive {}

    private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockProblemAutoConfiguration.class))
            .withUserConfiguration(Reactive.class)
            .withBean(Accounts.class);

    private static void assertStatus(ApplicationContext context, String path, int status) {
        WebTestClient.bindToApplicationContext(context)
                .build()
                .get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isEqualTo(status);
    }

    @Test
    @DisplayName("reactive applications respond in the same way")
    void reactive() {
        reactive.run(context -> {
            WebTestClient.bindToApplicationContext(context)
                    .build()
                    .get()
                    .uri("/failures/TIMEOUT")
                    .exchange()
                    .expectStatus()
                    .isEqualTo(503)
                    .expectHeader()
                    .valueEquals("Retry-After", "1")
                    .expectBody()
                    .jsonPath("$.code")
                    .isEqualTo("lock-timeout");
            assertStatus(context, "/failures/INVALID_REQUEST", 500);
            assertStatus(context, "/wrapped/status", 409);
            assertStatus(context, "/wrapped/annotated", 410);
            assertStatus(context, "/wrapped/future", 503);
        });
    }

    @Test
    @DisplayName("a handler of a reactive application takes precedence, too")
    void ownReactiveHandler() {
        reactive.withBean(OwnHandler.class).run(context -> assertStatus(context, "/failures/TIMEOUT", 418));
        reactive.withPropertyValues("lockstep.web.problems=false")
                .run(context -> assertStatus(context, "/failures/TIMEOUT", 500));
    }

    @Test
    @DisplayName("the error itself is thrown again where the response would promise too much")
    void thrownAgain() {
        InvalidRequestException error = new InvalidRequestException("wrong");
        assertThatThrownBy(() -> new LockProblemAdvice().unavailable(error)).isSameAs(error);
    }
}
