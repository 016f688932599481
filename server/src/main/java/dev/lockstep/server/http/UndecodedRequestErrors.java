package dev.lockstep.server.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;

/** Adds a problem body to the errors of requests that could not be decoded and so never reach Spring. */
final class UndecodedRequestErrors extends ChannelOutboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise has the same result
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof FullHttpResponse bare
                && bare.status().code() >= 400
                && !bare.headers().contains(HttpHeaderNames.CONTENT_TYPE)) {
            FullHttpResponse full = withProblem(bare);
            bare.release();
            // Closed because the request may have been a HEAD, whose client would take the body for the next answer.
            context.write(full, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
        } else {
            context.write(message, promise);
        }
    }

    private static FullHttpResponse withProblem(FullHttpResponse bare) {
        int status = bare.status().code();
        byte[] body = body(status, bare.status().reasonPhrase()).getBytes(StandardCharsets.UTF_8);
        FullHttpResponse full =
                new DefaultFullHttpResponse(bare.protocolVersion(), bare.status(), Unpooled.wrappedBuffer(body));
        full.headers()
                .set(bare.headers())
                .set(HttpHeaderNames.CONTENT_TYPE, "application/problem+json")
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, "close")
                .set("X-Content-Type-Options", "nosniff");
        return full;
    }

    private static String body(int status, String title) {
        String code = status == 413 || status == 414 || status == 431 ? "too-large" : "invalid-request";
        String detail = switch (status) {
            case 413 -> "The body is too large.";
            case 414 -> "The request's first line is too long. Keys belong into the body.";
            case 431 -> "The request's headers are too large.";
            default -> "This is not a request of HTTP/1.1, or its address is misspelt: a % must be written as %25.";
        };
        return """
                {"type":"/problems/%s","title":"%s","status":%d,"detail":"%s","code":"%s","retryable":false}""".formatted(code, title, status, detail, code);
    }
}
