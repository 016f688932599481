package dev.lockstep.redis;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The way to whichever server keeps a partition. */
interface Servers extends AutoCloseable {
    /** Runs a script on a partition, with the arguments of all scripts, and then these. */
    CompletionStage<List<Object>> call(Partition partition, Script script, String... arguments);

    /** Sends any other command to the server of a partition. */
    <T> CompletionStage<T> send(
            Partition partition, Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command);

    /** What stands for the server that a partition is on: as long as that isn't known, the partition alone. */
    Object serverOf(Partition partition);

    /** A connection on which hints of all partitions can be heard. */
    CompletionStage<StatefulRedisPubSubConnection<String, String>> listen();

    ResponseLimit answers();

    /** To be called from time to time: gives up connections on which nothing comes any more. */
    void attend();

    @Override
    void close();
}
