package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.RedisCluster;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ClusterApplicationTest extends ApplicationContract {
    private static final int PARTITIONS = 8;

    private final RedisCluster cluster = TestServers.redisCluster();
    private final String namespace = "spring-" + UUID.randomUUID();
    private RedisLockStore first;

    @BeforeEach
    void namespace() {
        first = RedisLockStore.cluster(cluster.urls().toArray(String[]::new))
                .partitions(PARTITIONS)
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
                        "lockstep.redis.cluster="
                                + String.join(",", cluster.urls().subList(0, 2)),
                        "lockstep.redis.partitions=" + PARTITIONS,
                        "spring.data.redis.url=redis://127.0.0.1:1");
    }

    @Test
    @DisplayName("a cluster that can't be reached stops the start")
    void unreachable() {
        application()
                .withPropertyValues("lockstep.redis.cluster=redis://127.0.0.1:1")
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("127.0.0.1:1"));
    }
}
