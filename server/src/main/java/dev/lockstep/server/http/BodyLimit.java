package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.core.annotation.Order;
import org.springframework.http.codec.CodecConfigurer;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Bodies of more bytes than allowed are refused: unread where the client says their length, else once it is reached. */
@Component
@Order(FilterOrder.BODY)
final class BodyLimit implements WebFilter, CodecCustomizer {
    static final String ATTRIBUTE = BodyLimit.class.getName();

    private final int most;

    BodyLimit(ServerProperties properties) {
        most = properties.limits().body();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        exchange.getAttributes().put(ATTRIBUTE, most);
        return exchange.getRequest().getHeaders().getContentLength() > most
                ? Mono.error(RequestFaults.tooLarge(most))
                : chain.filter(exchange);
    }

    @Override
    public void customize(CodecConfigurer codecs) {
        codecs.defaultCodecs().maxInMemorySize(most);
    }
}
