package dev.lockstep.server.http;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.server.ServerWebExchange;

/** Recognizes requests to management endpoints by the paths that they are served at, wherever the configuration puts them. */
@Component
final class ManagementPaths {
    private static final EndpointId HEALTH = EndpointId.of("health");
    private static final List<EndpointId> FOR_READERS = Stream.of("health", "info", "locks", "metrics", "prometheus")
            .map(EndpointId::of)
            .toList();

    private final boolean separatePort;
    private final Supplier<Served> served;

    /**
     * Where the endpoints are.
     *
     * @param additional of groups of health, on the port of the server or of the endpoints
     */
    private record Served(Paths probes, Paths forReaders, Paths all, Paths additional) {
        static Served of(PathMappedEndpoints endpoints, boolean separatePort) {
            return new Served(
                    paths(Stream.ofNullable(endpoints.getPath(HEALTH))
                            .flatMap(path -> Stream.of(path + "/liveness", path + "/readiness"))),
                    paths(Stream.concat(
                            links(endpoints.getBasePath(), separatePort),
                            FOR_READERS.stream()
                                    .flatMap(each -> Stream.ofNullable(endpoints.getPath(each)))
                                    .flatMap(Served::andBelow))),
                    paths(endpoints.getAllPaths().stream().flatMap(Served::andBelow)),
                    paths(Stream.of(WebServerNamespace.SERVER, WebServerNamespace.MANAGEMENT)
                            .flatMap(where -> endpoints.getAdditionalPaths(where, HEALTH).stream())));
        }

        /** The list of the endpoints; at the root of the server's own port is the page. */
        private static Stream<String> links(String base, boolean separatePort) {
            return base.isEmpty() ? Stream.of("/").filter(root -> separatePort) : Stream.of(base);
        }

        private static Stream<String> andBelow(String path) {
            return Stream.of(path, path + "/**");
        }

        private static Paths paths(Stream<String> patterns) {
            return Paths.of(patterns.toArray(String[]::new));
        }
    }

    /** Looks the endpoints up at the first request, since they depend on much that depends on security. */
    ManagementPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
        separatePort = ManagementPortType.get(environment) == ManagementPortType.DIFFERENT;
        served = SingletonSupplier.of(() -> Served.of(endpoints.getObject(), separatePort));
    }

    /** Whether it is one of the two probes, which tell the status only. */
    boolean isProbe(ServerWebExchange exchange) {
        return isServedHere(exchange) && contains(served.get().probes(), exchange);
    }

    /** Whether it is an endpoint that tells no more than the API does. */
    boolean isForReaders(ServerWebExchange exchange) {
        return (isServedHere(exchange) && contains(served.get().forReaders(), exchange))
                || contains(served.get().additional(), exchange);
    }

    /** Whether it is any endpoint, or anything else on a port of their own. */
    boolean isManagement(ServerWebExchange exchange) {
        return (isServedHere(exchange) && (separatePort || contains(served.get().all(), exchange)))
                || isForReaders(exchange);
    }

    private boolean isServedHere(ServerWebExchange exchange) {
        return !separatePort
                || WebServerApplicationContext.hasServerNamespace(exchange.getApplicationContext(), "management");
    }

    private static boolean contains(Paths paths, ServerWebExchange exchange) {
        return paths.contain(exchange.getRequest().getPath().pathWithinApplication());
    }
}
