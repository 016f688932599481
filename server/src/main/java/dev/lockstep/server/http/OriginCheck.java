package dev.lockstep.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Refuses what pages of other sites send. Browsers say where a page is from; commands say nothing and pass. */
@Component
@Order(FilterOrder.ORIGIN)
final class OriginCheck implements WebFilter {
    private static final Set<String> FOREIGN = Set.of("cross-site", "same-site");

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        List<String> origins = headers.getOrEmpty(HttpHeaders.ORIGIN);
        String host = String.valueOf(headers.getFirst(HttpHeaders.HOST)).toLowerCase(Locale.ROOT);
        return origins.stream().allMatch(each -> isOf(each.toLowerCase(Locale.ROOT), host)) && !isForeign(headers)
                ? chain.filter(exchange)
                : Mono.error(refusal(origins));
    }

    /** What a page of another site, or of another port of this one, fetches without an origin. Its links may lead here. */
    private static boolean isForeign(HttpHeaders headers) {
        @Nullable String site = headers.getFirst("Sec-Fetch-Site");
        return site != null
                && FOREIGN.contains(site.toLowerCase(Locale.ROOT))
                && !"navigate".equalsIgnoreCase(headers.getFirst("Sec-Fetch-Mode"));
    }

    private static boolean isOf(String origin, String host) {
        return origin.equals("http://" + host) || origin.equals("https://" + host);
    }

    private static Problem refusal(List<String> origins) {
        return Problem.of(
                HttpStatus.FORBIDDEN,
                "forbidden-host",
                false,
                "A page of "
                        + (origins.isEmpty() ? "another site" : JsonFaults.shortened(String.join(", ", origins)))
                        + " sent this, and only pages of this server may. Call it from a program, or from its own page.");
    }
}
