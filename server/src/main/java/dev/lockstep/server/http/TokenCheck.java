package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Asks for the token, where one is configured. The page's files and the two probes are open: they tell nothing. */
@Component
@Order(FilterOrder.TOKEN)
final class TokenCheck implements WebFilter {
    private static final Paths GUARDED = Paths.of("/api/**", "/actuator/**", "/v3/**");
    private static final Paths OPEN = Paths.of("/actuator/health/liveness", "/actuator/health/readiness");
    private static final String SCHEME = "Bearer ";

    private final byte @Nullable [] token;

    TokenCheck(ServerProperties properties) {
        String configured = properties.token();
        token = configured == null || configured.isEmpty() ? null : configured.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        if (token == null || !GUARDED.contain(path) || OPEN.contain(path)) {
            return chain.filter(exchange);
        }
        String shown = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        return shown != null && matches(shown, token) ? chain.filter(exchange) : Mono.error(unauthorized(shown));
    }

    /** Takes as long for a token that is nearly right as for any other. */
    private static boolean matches(String shown, byte[] token) {
        return shown.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        token, shown.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8));
    }

    private static Problem unauthorized(@Nullable String shown) {
        return Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        false,
                        (shown == null ? "This server asks for its token." : "That is not this server's token.")
                                + " Send it in the header Authorization: Bearer … (it is configured as lockstep.server.token).")
                .withHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"lockstep\"");
    }
}
