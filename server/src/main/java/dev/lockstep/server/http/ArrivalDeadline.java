package dev.lockstep.server.http;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose request doesn't arrive in time: first its headers, then its body. A limit on silence is not enough:
 * a client that sends a byte now and then is never silent. It continues after an early answer, since the rest of the body is still read.
 * One object per connection, used on its event loop only.
 */
final class ArrivalDeadline {
    private final Duration time;
    private @Nullable Future<?> running;

    ArrivalDeadline(Duration time) {
        this.time = time;
    }

    /** Sees bytes arrive, before they are decoded. */
    ChannelHandler bytes() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (running == null) {
                    start(context);
                }
                context.fireChannelRead(message);
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                stop();
                context.fireChannelInactive();
            }
        };
    }

    /** Sees requests, once they are decoded. */
    ChannelHandler requests() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof HttpRequest) {
                    stop();
                    start(context);
                }
                if (message instanceof LastHttpContent) {
                    stop();
                }
                context.fireChannelRead(message);
            }
        };
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing to do once it is closed
    private void start(ChannelHandlerContext context) {
        running = context.executor().schedule(() -> context.close(), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void stop() {
        if (running != null) {
            running.cancel(false);
            running = null;
        }
    }
}
