package dev.lockstep.server.http;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** What every answer tells a browser: nothing from elsewhere, nothing to elsewhere, not in a foreign frame. */
@Component
@Order(FilterOrder.HEADERS)
final class SecurityHeaders implements WebFilter {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';"
                    + " manifest-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ";
    /** The page shows the project lock's demo in a frame, and that shows itself in two. */
    private static final Paths FRAMED = Paths.of("/lockstep/**");

    private static final Paths CHANGING = Paths.of("/api/**", "/actuator/**", "/v3/**");

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        headers.set("Content-Security-Policy", POLICY + (FRAMED.contain(path) ? "'self'" : "'none'"));
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
        if (CHANGING.contain(path)) {
            headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        return chain.filter(exchange);
    }
}
