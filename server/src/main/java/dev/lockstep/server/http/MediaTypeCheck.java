package dev.lockstep.server.http;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Writes must be of the type JSON: a form of another site can't send that without a preflight, which is always refused. */
@Component
@Order(FilterOrder.MEDIA_TYPE)
final class MediaTypeCheck implements WebFilter {
    private static final Paths API = Paths.of("/api/**");
    private static final Set<HttpMethod> WRITES = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (!WRITES.contains(request.getMethod())
                || !API.contain(request.getPath().pathWithinApplication())) {
            return chain.filter(exchange);
        }
        MediaType type = type(request);
        return type != null && MediaType.APPLICATION_JSON.equalsTypeAndSubtype(type)
                ? chain.filter(exchange)
                : Mono.error(RequestFaults.notJson(type));
    }

    private static @Nullable MediaType type(ServerHttpRequest request) {
        try {
            return request.getHeaders().getContentType();
        } catch (InvalidMediaTypeException e) {
            return null;
        }
    }
}
