package dev.lockstep.server.http;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Counts wrong tokens by the client's address, and logs them. A right token is never refused because of the wrong ones: behind a proxy all clients have one
 * address, and tokens are too long to be guessed.
 */
@Component
final class LoginAttempts {
    private static final Logger AUDIT = LoggerFactory.getLogger("dev.lockstep.server.audit");
    private static final long WINDOW = TimeUnit.MINUTES.toNanos(1);
    private static final int ALLOWED = 10;
    private static final int MOST_ADDRESSES = 10_000;

    private record Failures(long since, int count) {}

    private final Map<String, Failures> byAddress = new ConcurrentHashMap<>();

    /** What a client with a wrong token is answered. */
    Problem failed(ServerWebExchange exchange) {
        String address = address(exchange);
        if (byAddress.size() >= MOST_ADDRESSES) {
            byAddress.clear();
        }
        Failures failures = byAddress.merge(address, new Failures(System.nanoTime(), 1), LoginAttempts::more);
        if (failures.count() == 1 || failures.count() == ALLOWED + 1) {
            AUDIT.warn(
                    "A token that this server doesn't know came from {}{}",
                    address,
                    failures.count() == 1 ? "" : "; more of them within this minute are not logged");
        }
        return failures.count() <= ALLOWED ? unauthorized(true) : tooMany();
    }

    private static Failures more(Failures before, Failures one) {
        return one.since() - before.since() > WINDOW ? one : new Failures(before.since(), before.count() + 1);
    }

    private static String address(ServerWebExchange exchange) {
        @Nullable InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
        return remote == null || remote.getAddress() == null
                ? "unknown"
                : remote.getAddress().getHostAddress();
    }

    static Problem unauthorized(boolean shown) {
        return Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        false,
                        (shown ? "That is not a token of this server." : "This server asks for a token.")
                                + " Send it in the header Authorization: Bearer … (it is configured as lockstep.server.token, or in the"
                                + " file lockstep.server.tokens-file).")
                .withHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"lockstep\"");
    }

    private static Problem tooMany() {
        return Problem.of(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "too-many-attempts",
                        true,
                        "More than " + ALLOWED
                                + " wrong tokens came from your address within a minute. Correct the token.")
                .withHeader(HttpHeaders.RETRY_AFTER, "60");
    }
}
