package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/** What a connection may cost: none is kept for a client that sends nothing, sends slowly, or doesn't read. */
@Component
final class ConnectionLimits implements NettyServerCustomizer {
    private static final int REQUEST_LINE = 8_192;
    private static final int HEADERS = 16_384;

    private final ServerProperties.Limits limits;

    ConnectionLimits(ServerProperties properties) {
        limits = properties.limits();
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.maxConnections(limits.connections())
                .httpRequestDecoder(decoder -> decoder.maxInitialLineLength(REQUEST_LINE)
                        .maxHeaderSize(HEADERS)
                        .h2cMaxContentLength(0))
                .idleTimeout(limits.idle())
                .mapHandle(ConnectionLimits::onceHandedOver)
                .doOnChannelInit((observer, channel, remote) -> guard(channel, limits.slowest()));
    }

    /**
     * Answers a request only once all of it that came is handed over. Reactor Netty 1.3.7 never reads a connection again on which a
     * request that came early was answered before that (its issue 4361), and the client of the next one would wait forever.
     */
    private static Mono<Void> onceHandedOver(Mono<Void> answered, Connection connection) {
        return answered.subscribeOn(Schedulers.fromExecutor(connection.channel().eventLoop()));
    }

    private static void guard(Channel channel, Duration slowest) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addFirst(new WriteTimeoutHandler(slowest.toMillis(), TimeUnit.MILLISECONDS));
        ArrivalDeadline deadline = new ArrivalDeadline(slowest);
        pipeline.addBefore(NettyPipeline.HttpCodec, "lockstep.bytes", deadline.bytes());
        pipeline.addAfter(NettyPipeline.HttpCodec, "lockstep.bareErrors", new UndecodedRequestErrors());
        pipeline.addAfter(NettyPipeline.HttpCodec, "lockstep.requests", deadline.requests());
    }
}
