package dev.lockstep.server.locks;

import dev.lockstep.server.http.PlainJson;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * A short way for the two requests that every lock costs. To search their route, bind their arguments and negotiate their answer costs more than
 * the lock. It takes what is plain, and leaves everything else to the routes of {@link LocksApi}, which answer the same.
 */
@Component
final class LocksExpress implements HandlerMapping, Ordered {
    private static final String LEASE_PATTERN = LocksApi.PATH + "/{leaseId}";
    private static final int BEFORE_ALL_OTHERS = -1_000;

    private final LocksApi api;
    private final ObjectReader asks;
    private final ObjectWriter leases;

    LocksExpress(LocksApi api, JsonMapper json) {
        this.api = api;
        asks = json.readerFor(AcquireRequest.class);
        leases = json.writerFor(LeaseView.class);
    }

    @Override
    public int getOrder() {
        return BEFORE_ALL_OTHERS;
    }

    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        String path = request.getPath().pathWithinApplication().value();
        if (!path.startsWith(LocksApi.PATH) || !PlainJson.isWanted(request)) {
            return Mono.empty();
        }
        if (HttpMethod.POST.equals(request.getMethod()) && path.length() == LocksApi.PATH.length()) {
            return PlainJson.isSent(request) ? Mono.just((WebHandler) this::acquire) : Mono.empty();
        }
        return HttpMethod.DELETE.equals(request.getMethod()) ? Mono.justOrEmpty(release(path)) : Mono.empty();
    }

    private Optional<WebHandler> release(String path) {
        return path.startsWith("/", LocksApi.PATH.length())
                ? LeaseId.read(path.substring(LocksApi.PATH.length() + 1))
                        .filter(api::keeps)
                        .map(id -> exchange -> release(id, exchange))
                : Optional.empty();
    }

    private Mono<Void> acquire(ServerWebExchange exchange) {
        measuredAs(LocksApi.PATH, exchange);
        ServerHttpResponse response = exchange.getResponse();
        return PlainJson.read(exchange.getRequest(), asks, AcquireRequest.class)
                .flatMap(body -> api.take(body, exchange))
                .flatMap(lease -> {
                    response.setStatusCode(HttpStatus.CREATED);
                    response.getHeaders().set(HttpHeaders.LOCATION, LocksApi.location(lease, exchange));
                    return PlainJson.write(response, leases, lease);
                });
    }

    private Mono<Void> release(LeaseId id, ServerWebExchange exchange) {
        measuredAs(LEASE_PATTERN, exchange);
        ServerHttpResponse response = exchange.getResponse();
        return api.giveBack(id).then(Mono.defer(() -> {
            response.setStatusCode(HttpStatus.NO_CONTENT);
            return response.setComplete();
        }));
    }

    private static void measuredAs(String pattern, ServerWebExchange exchange) {
        ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                .ifPresent(context -> context.setPathPattern(pattern));
    }
}
