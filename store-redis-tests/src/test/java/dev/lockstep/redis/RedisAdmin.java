package dev.lockstep.redis;

import dev.lockstep.testservers.TestServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends a server commands as an administrator types them. */
final class RedisAdmin implements AutoCloseable {
    /** A machine may stand still for as long as Lettuce waits by default. */
    private static final Duration PATIENT = Duration.ofMinutes(2);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    RedisAdmin(TestServer server) {
        client = RedisClient.create(server.url());
        client.setOptions(ClientOptions.builder()
                .socketOptions(SocketOptions.builder().connectTimeout(PATIENT).build())
                .build());
        connection = client.connect();
    }

    /** Words are separated by spaces. */
    List<Object> run(String line) {
        return send(line.split(" ", -1))
                .orTimeout(PATIENT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** The answer as one text. */
    String text(String line) {
        return String.valueOf(run(line).get(0));
    }

    /** Doesn't wait for the answer. */
    CompletableFuture<List<Object>> send(String... words) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        Arrays.stream(words).skip(1).forEach(arguments::add);
        return connection
                .async()
                .dispatch(new Name(words[0]), new NestedMultiOutput<>(StringCodec.UTF8), arguments)
                .toCompletableFuture();
    }

    private record Name(String text) implements ProtocolKeyword {
        @Override
        public byte[] getBytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }

    String info(String section) {
        return connection.sync().info(section);
    }

    long keys() {
        return connection.sync().dbsize();
    }

    @Override
    public void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
