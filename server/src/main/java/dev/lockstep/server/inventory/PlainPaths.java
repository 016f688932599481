package dev.lockstep.server.inventory;

import dev.lockstep.server.http.Problem;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/** Refuses a bare semicolon in a path: what comes after it would be cut off, and the SKU taken for another. */
@Component
final class PlainPaths implements WebFilter {
    private static final PathPattern STOCK = PathPatternParser.defaultInstance.parse("/api/inventory/**");

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        boolean cut = path.value().indexOf(';') >= 0
                && STOCK.matches(path)
                && path.elements().stream().anyMatch(PlainPaths::hasParameters);
        return cut
                ? Mono.error(Problem.invalid("path", "There is a semicolon in the path. Write it as %3B."))
                : chain.filter(exchange);
    }

    private static boolean hasParameters(PathContainer.Element element) {
        return element instanceof PathSegment segment && !segment.parameters().isEmpty();
    }
}
