package dev.lockstep.redis;

import dev.lockstep.redis.connection.Handshake;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A single server, which keeps everything. */
final class OneServer implements Servers {
    private final Driver driver;
    private final RedisLink link;

    OneServer(Driver driver, RedisURI uri, Duration answerWithin) {
        this.driver = driver;
        link = new RedisLink(driver.client(), uri, answerWithin);
    }

    @Override
    public CompletionStage<List<Object>> call(Partition partition, Script script, String... arguments) {
        return link.call(partition, script, arguments);
    }

    @Override
    public <T> CompletionStage<T> send(
            Partition partition, Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command) {
        return link.send(command);
    }

    @Override
    public Object serverOf(Partition partition) {
        return link.uri();
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> listen() {
        return Handshake.open(link.uri(), uri -> driver.client().connectPubSubAsync(StringCodec.UTF8, uri));
    }

    @Override
    public ResponseLimit answers() {
        return link.answers();
    }

    @Override
    public void attend() {
        link.closeIfSilent();
    }

    @Override
    public void close() {
        link.close();
        driver.close();
    }
}
