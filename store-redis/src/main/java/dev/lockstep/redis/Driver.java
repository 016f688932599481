package dev.lockstep.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Lettuce, for all connections of a store: it neither reconnects nor sends anything again by itself. */
final class Driver implements AutoCloseable {
    private final ClientResources resources;
    private final RedisClient client;

    Driver(Duration answerWithin, SslOptions tls) {
        resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .nettyCustomizer(new ConsolidatedFlushes())
                .build();
        client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .sslOptions(tls)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(answerWithin)
                        .keepAlive(true)
                        .build())
                .build());
    }

    /** Calls of several threads share a write to the socket, which costs more than anything else that a call does here. */
    private static final class ConsolidatedFlushes implements NettyCustomizer {
        private static final int MOST_CALLS = 64;

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_CALLS, true));
        }
    }

    RedisClient client() {
        return client;
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // the client would stop half-way
        try {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        } finally {
            Future<?> unused = resources.shutdown(0, 2, TimeUnit.SECONDS);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
