package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.spring.LockstepStartException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Which Redis server locks are on. */
@Tag("once")
class ApplicationRedisTest {
    /** Without lockstep.store=redis, so that nothing connects. */
    private static void withUri(Consumer<RedisURI> check, String... properties) {
        Applications.connected()
                .withPropertyValues("lockstep.store=memory")
                .withPropertyValues(properties)
                .run(context ->
                        check.accept(context.getBean(RedisUriSource.class).uri()));
    }

    private static void refused(Consumer<LockstepStartException> check, String... properties) {
        Applications.connected()
                .withPropertyValues("lockstep.store=redis")
                .withPropertyValues(properties)
                .run(context -> check.accept(Applications.refusal(context)));
    }

    @Test
    @DisplayName("host, port, database, user, password and TLS are the application's")
    void standalone() {
        withUri(
                uri -> {
                    assertThat(uri.getHost()).isEqualTo("cache.example.org");
                    assertThat(uri.getPort()).isEqualTo(6390);
                    assertThat(uri.getDatabase()).isEqualTo(3);
                    assertThat(uri.isSsl()).isTrue();
                    RedisCredentials credentials =
                            uri.getCredentialsProvider().resolveCredentials().block();
                    assertThat(credentials.getUsername()).isEqualTo("shop");
                    assertThat(credentials.getPassword()).containsExactly('p', '@', '/');
                },
                "spring.data.redis.host=cache.example.org",
                "spring.data.redis.port=6390",
                "spring.data.redis.database=3",
                "spring.data.redis.username=shop",
                "spring.data.redis.password=p@/",
                "spring.data.redis.ssl.enabled=true");
        withUri(uri -> assertThat(uri.isSsl()).isFalse());
    }

    @Test
    @DisplayName("a master with replicas is refused")
    void severalServers() {
        refused(
                refusal -> {
                    assertThat(refusal.description()).contains("a master with replicas");
                    assertThat(refusal.action()).contains("lockstep.redis.url=redis://");
                },
                "spring.data.redis.masterreplica.nodes=a:1");
    }

    @Test
    @DisplayName("the application's cluster is used only if it is named, which the refusal does")
    void cluster() {
        refused(
                refusal -> {
                    assertThat(refusal.description()).contains("is a cluster", "failover");
                    assertThat(refusal.action())
                            .contains("lockstep.redis.cluster=redis://a:1,redis://b:2 ", "lockstep.redis.url=redis://");
                },
                "spring.data.redis.cluster.nodes=a:1,b:2");
        refused(
                refusal -> assertThat(refusal.action()).contains("lockstep.redis.cluster=rediss://a:1 "),
                "spring.data.redis.cluster.nodes=a:1",
                "spring.data.redis.ssl.enabled=true");
    }

    @Test
    @DisplayName("the application's Sentinel is used only if it is named, which the refusal does")
    void sentinel() {
        refused(
                refusal -> {
                    assertThat(refusal.description()).contains("found by Sentinel", "failover");
                    assertThat(refusal.action()).contains("lockstep.redis.url=redis-sentinel://a:1#m ");
                },
                "spring.data.redis.sentinel.master=m",
                "spring.data.redis.sentinel.nodes=a:1");
    }

    @Test
    @DisplayName("a bad lockstep.redis.url is refused without telling the password")
    void badUrl() {
        refused(
                refusal -> {
                    assertThat(refusal.description()).startsWith("lockstep.redis.url is not");
                    assertThat(refusal).hasStackTraceContaining("lockstep.redis.url");
                    assertThat(refusal.getMessage()).doesNotContain("geheim");
                    assertThat(refusal.getCause()).isNull();
                },
                "lockstep.redis.url=http://user:geheim@host");
    }

    @Test
    @DisplayName("a connection that the application makes itself may lead anywhere, so the server must be named")
    void ownConnection() {
        Applications.connected()
                .withPropertyValues("lockstep.store=redis")
                .withBean("mine", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("elsewhere", 1))
                .run(context -> {
                    assertThat(Applications.refusal(context).description()).contains("'mine'");
                    assertThat(Applications.refusal(context).action()).contains("lockstep.redis.url=");
                });
    }

    @Test
    @DisplayName("without a Redis connection of the application's, the server must be named")
    void noConnection() {
        Applications.plain()
                .withPropertyValues("lockstep.store=redis")
                .withClassLoader(new FilteredClassLoader(DataRedisConnectionDetails.class))
                .run(context -> assertThat(Applications.refusal(context).action())
                        .contains("lockstep.redis.url=redis://host:6379", "spring-boot-starter-data-redis"));
    }
}
