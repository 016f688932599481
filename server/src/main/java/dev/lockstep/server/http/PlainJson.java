package dev.lockstep.server.http;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/** JSON for routes where nothing is left to negotiate, which costs more than to read and write it. */
public final class PlainJson {
    private static final String JSON = MediaType.APPLICATION_JSON_VALUE;

    /** What curl, browsers and the HTTP libraries of most languages say. */
    private static final Set<String> USUALLY_WANTED =
            Set.of("*/*", JSON, JSON + ", */*", JSON + ", text/plain, */*", JSON + ", application/*+json");

    private static final Set<String> USUALLY_SENT = Set.of(
            JSON, JSON + "; charset=utf-8", JSON + ";charset=utf-8", JSON + "; charset=UTF-8", JSON + ";charset=UTF-8");

    private PlainJson() {}

    /** Whether the client takes JSON, and says so in the usual words or not at all. */
    public static boolean isWanted(ServerHttpRequest request) {
        List<String> accepted = request.getHeaders().getOrEmpty(HttpHeaders.ACCEPT);
        return accepted.isEmpty() || (accepted.size() == 1 && USUALLY_WANTED.contains(accepted.get(0)));
    }

    /** Whether the request has a body, of a known length, that is called JSON in the usual words. */
    public static boolean isSent(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        @Nullable String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        return headers.getContentLength() > 0 && type != null && USUALLY_SENT.contains(type);
    }

    /** The body of a request of which {@link #isSent} is true. */
    public static <T> Mono<T> read(ServerHttpRequest request, ObjectReader reader, Class<T> type) {
        return DataBufferUtils.join(request.getBody()).map(body -> value(body, reader, type));
    }

    private static <T> T value(DataBuffer body, ObjectReader reader, Class<T> type) {
        byte[] bytes = new byte[body.readableByteCount()];
        body.read(bytes);
        DataBufferUtils.release(body);
        @Nullable T value;
        try {
            value = type.cast(reader.<@Nullable Object>readValue(bytes));
        } catch (JacksonException e) {
            throw new ServerWebInputException("Failed to read HTTP message", null, e);
        }
        if (value == null) {
            throw ParameterFaults.noBody();
        }
        return value;
    }

    /** Answers with this value; status and other headers are set before. */
    public static Mono<Void> write(ServerHttpResponse response, ObjectWriter writer, Object value) {
        byte[] bytes = writer.writeValueAsBytes(value);
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, JSON);
        response.getHeaders().setContentLength(bytes.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
    }
}
