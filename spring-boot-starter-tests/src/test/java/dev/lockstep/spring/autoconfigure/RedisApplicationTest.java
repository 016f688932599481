package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.RedisSentinel;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@UsesServer(ServerKind.REDIS)
@Tag("once")
class RedisApplicationTest extends ApplicationContract {
    private final String namespace = "spring-" + UUID.randomUUID();
    private TestServer server;
    private RedisLockStore first;

    @BeforeEach
    void namespace(TestServer shared) {
        server = shared;
        first = RedisLockStore.at(server.url())
                .namespace(namespace)
                .longestTerm(Duration.ofMinutes(2))
                .answerWithin(Duration.ofMinutes(1))
                .createNamespace();
    }

    @AfterEach
    void remove() {
        try (RedisLockStore last = first) {
            last.removeNamespace();
        }
    }

    @Override
    ApplicationContextRunner application() {
        return Applications.connected()
                .withPropertyValues(
                        "lockstep.store=redis",
                        "lockstep.namespace=" + namespace,
                        "lockstep.redis.longest-term=2m",
                        "lockstep.redis.answer-within=1m",
                        "spring.data.redis.url=" + server.url());
    }

    @Test
    @DisplayName("lockstep.redis.url leads to another server than the application's")
    void otherServer() {
        application()
                .withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1", "lockstep.redis.url=" + server.url())
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("lockstep.redis.url may name sentinels and their master")
    void sentinel() {
        try (RedisSentinel sentinel = TestServers.startRedisSentinel(Duration.ofMinutes(10))) {
            application()
                    .withPropertyValues("lockstep.redis.url=" + sentinel.url())
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }

    @Test
    @DisplayName("a server that can't be reached stops the start")
    void unreachable() {
        application()
                .withPropertyValues("spring.data.redis.url=redis://:geheim@127.0.0.1:1")
                .run(context -> {
                    assertThat(Applications.refusal(context).description()).contains("127.0.0.1:1");
                    assertThat(Applications.refusal(context)).hasMessageNotContaining("geheim");
                });
    }
}
