package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.jdbc.EpochTable;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.spring.StoreDoctor;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An application on Redis, with PostgreSQL for when that is away. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class FallbackApplicationTest {
    private static final Duration LONG = Duration.ofSeconds(90);

    private final String namespace = "fallback-" + UUID.randomUUID();

    private ApplicationContextRunner application(TcpProxy redis, TestDatabase database) {
        return DatabaseApplication.on("redis", database)
                .withPropertyValues(
                        "lockstep.redis.url=redis://" + redis.host() + ":" + redis.port(),
                        "lockstep.redis.longest-term=5s",
                        "lockstep.redis.answer-within=1s",
                        "lockstep.namespace=" + namespace,
                        "lockstep.term=5s",
                        "lockstep.kinds.user.rank=0",
                        "lockstep.fallback.store=postgresql",
                        "lockstep.fallback.epoch-term=1s",
                        "lockstep.fallback.longest-term=5s",
                        "lockstep.fallback.unavailable-after=500ms");
    }

    private static DataSource source(TestDatabase database) {
        return new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    }

    @Test
    @DisplayName("locks move to the database when Redis is away, with greater tokens")
    void moves() throws Exception {
        TestServer server = TestServers.redis();
        try (TcpProxy redis = TcpProxy.to(server);
                TestDatabase database = TestServers.postgres().freshDatabase();
                RedisLockStore first = RedisLockStore.at(server.url())
                        .namespace(namespace)
                        .longestTerm(Duration.ofSeconds(5))
                        .answerWithin(LONG)
                        .createNamespace()) {
            EpochTable.on(source(database)).provision("default");
            application(redis, database).run(context -> {
                assertThat(context).hasNotFailed();
                FencingToken before = token(context);
                assertThat(context.getBean(StoreDoctor.class).examine().isHealthy())
                        .isTrue();
                redis.refuse();
                redis.cut();
                await().atMost(LONG).until(() -> state(context).onSecondary());
                assertThat(token(context)).isGreaterThan(before);
                assertThat(context.getBean(StoreDoctor.class).examine().warnings())
                        .anySatisfy(each -> assertThat(each.what()).contains("redis: It can't be reached"));
            });
            first.removeNamespace();
        }
    }

    private static FencingToken token(ApplicationContext context) {
        try (Lease lease = ApplicationContract.locks(context)
                .acquire(exclusive(ApplicationContract.key(context, "user:u1")).within(LONG))) {
            assertThat(lease.isHeld() || !Instant.now().isBefore(lease.expiresAt()))
                    .as("held, unless this machine stood still for its whole term")
                    .isTrue();
            return lease.token();
        }
    }

    private static FallbackState state(ApplicationContext context) {
        return context.getBean(FallbackStore.class).state();
    }

    @Test
    @DisplayName("an application starts while Redis is away, though no other has switched before")
    void startsWithoutRedis() throws Exception {
        try (TcpProxy redis = TcpProxy.to(TestServers.redis());
                TestDatabase database = TestServers.postgres().freshDatabase()) {
            EpochTable.on(source(database)).provision("default");
            redis.refuse();
            application(redis, database).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(token(context)).isNotNull();
                assertThat(state(context).onSecondary()).isTrue();
            });
        }
    }

    @Test
    @DisplayName("a database without the register stops the start, and it is told how to make it")
    void noRegister() throws Exception {
        try (TcpProxy redis = TcpProxy.to(TestServers.redis());
                TestDatabase database = TestServers.postgres().freshDatabase()) {
            application(redis, database).run(context -> {
                assertThat(Applications.refusal(context).description()).contains("lockstep_epochs");
                assertThat(Applications.refusal(context).action()).contains("register");
            });
        }
    }
}
