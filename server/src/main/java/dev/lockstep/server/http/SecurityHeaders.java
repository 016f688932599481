package dev.lockstep.server.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** What every response says to a browser: nothing from elsewhere, nothing to elsewhere, not in a foreign frame. */
@Component
@Order(FilterOrder.HEADERS)
final class SecurityHeaders implements WebFilter {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';"
                    + " manifest-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ";
    /** The page shows the project lock's demo in a frame, and that shows itself in two. */
    private static final Paths FRAMED = Paths.of("/lockstep/**");

    /** Recognized first, as the most frequent. */
    private static final String API = "/api/";

    private static final Paths FILES = Paths.of(AccessRules.FILES);

    private static final HttpHeaders FOR_CHANGING = ready("'none'").add(ascii("Cache-Control"), ascii("no-store"));
    private static final HttpHeaders FOR_FRAMED = ready("'self'");
    private static final HttpHeaders FOR_OTHERS = ready("'none'");

    /** Checked, hashed and encoded here: letter by letter in each answer they would cost as much as a lock. */
    private static HttpHeaders ready(String ancestors) {
        return new DefaultHttpHeaders()
                .add(ascii("Content-Security-Policy"), ascii(POLICY + ancestors))
                .add(ascii("X-Content-Type-Options"), ascii("nosniff"))
                .add(ascii("Referrer-Policy"), ascii("no-referrer"))
                .add(ascii("Cross-Origin-Opener-Policy"), ascii("same-origin"))
                .add(ascii("Cross-Origin-Resource-Policy"), ascii("same-origin"))
                .add(
                        ascii("Permissions-Policy"),
                        ascii("camera=(), geolocation=(), microphone=(), payment=(), usb=()"));
    }

    private final ManagementPaths management;

    SecurityHeaders(ManagementPaths management) {
        this.management = management;
    }

    private static AsciiString ascii(String text) {
        return AsciiString.cached(text);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        headers(exchange.getResponse()).add(of(exchange));
        return chain.filter(exchange);
    }

    /** Those that are sent; Spring's are a view of them, which knows only text. */
    private static HttpHeaders headers(ServerHttpResponse response) {
        HttpServerResponse sent = ServerHttpResponseDecorator.getNativeResponse(response);
        return sent.responseHeaders();
    }

    private HttpHeaders of(ServerWebExchange exchange) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        if (path.value().startsWith(API) || !FILES.contain(path) || management.isManagement(exchange)) {
            return FOR_CHANGING;
        }
        return FRAMED.contain(path) ? FOR_FRAMED : FOR_OTHERS;
    }
}
