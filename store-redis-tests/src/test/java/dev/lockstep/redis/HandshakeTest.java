package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.redis.connection.Handshake;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
class HandshakeTest {
    /** Enough to see the faults: about one refused attempt in sixty was reported in another way. */
    private static final int ATTEMPTS = 800;

    private static final int AT_ONCE = 8;

    private static PrivateServer server;
    private static RedisClient client;

    @BeforeAll
    static void start() {
        server = TestServers.startRedis("--requirepass", "right");
        client = RedisClient.create();
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        server.close();
    }

    private static RedisURI uri(String password) {
        return RedisURI.create("redis://:" + password + "@" + server.host() + ":" + server.port());
    }

    private static CompletableFuture<StatefulRedisConnection<String, String>> open(RedisURI uri) {
        return Handshake.open(uri, ready -> client.connectAsync(StringCodec.UTF8, ready))
                .toCompletableFuture();
    }

    @Test
    void aRefusedPasswordIsAlwaysReportedAsSuch() {
        for (int i = 0; i < ATTEMPTS; i += AT_ONCE) {
            List<CompletableFuture<?>> attempts = new ArrayList<>();
            for (int each = 0; each < AT_ONCE; each++) {
                attempts.add(open(uri("wrong")));
            }
            for (CompletableFuture<?> attempt : attempts) {
                assertThatThrownBy(attempt::join).hasStackTraceContaining("WRONGPASS");
            }
        }
    }

    @Test
    void aConnectionAcceptsCommandsAsSoonAsItIsOpen() {
        for (int i = 0; i < ATTEMPTS; i += AT_ONCE) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int each = 0; each < AT_ONCE; each++) {
                answers.add(open(uri("right")).thenCompose(HandshakeTest::pingAndClose));
            }
            answers.forEach(answer -> assertThat(answer.join()).isEqualTo("PONG"));
        }
    }

    private static CompletionStage<String> pingAndClose(StatefulRedisConnection<String, String> connection) {
        return connection
                .async()
                .ping()
                .thenCompose(answer -> connection.closeAsync().thenApply(closed -> answer));
    }

    @Test
    void credentialsThatComeLateAreAskedForAtEveryConnection() {
        AtomicInteger asked = new AtomicInteger();
        RedisURI uri = RedisURI.create(server.host(), server.port());
        uri.setCredentialsProvider(() -> Mono.delay(Duration.ofMillis(10))
                .map(tick -> RedisCredentials.just(null, asked.incrementAndGet() == 1 ? "wrong" : "right")));

        assertThatThrownBy(open(uri)::join).hasStackTraceContaining("WRONGPASS");
        try (StatefulRedisConnection<String, String> connection = open(uri).join()) {
            assertThat(connection.sync().ping()).isEqualTo("PONG");
        }
        assertThat(asked).hasValue(2);
    }
}
