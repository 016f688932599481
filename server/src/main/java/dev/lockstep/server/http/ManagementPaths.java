package dev.lockstep.server.http;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.EndpointMapping;
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
     * @param restricted the endpoints that are not for readers, and what is below them
     * @param onServer additional paths of health groups on the port of the server
     * @param onManagement the same on the port of the endpoints
     */
    private record Served(Paths probes, Paths forReaders, Paths restricted, Paths onServer, Paths onManagement) {
        static Served of(PathMappedEndpoints endpoints, boolean separatePort) {
            EndpointMapping base = new EndpointMapping(endpoints.getBasePath());
            List<String> readable = FOR_READERS.stream()
                    .flatMap(id -> Stream.ofNullable(endpoints.getRootPath(id)))
                    .toList();
            Stream<String> others = endpoints.getAllRootPaths().stream().filter(root -> !readable.contains(root));
            return new Served(
                    paths(served(base, Stream.ofNullable(endpoints.getRootPath(HEALTH)))
                            .flatMap(path -> Stream.of(path + "/liveness", path + "/readiness"))),
                    paths(Stream.concat(
                            links(base.getPath(), separatePort),
                            served(base, readable.stream()).flatMap(Served::andBelow))),
                    paths(served(base, others).flatMap(Served::andBelow)),
                    additional(endpoints, WebServerNamespace.SERVER),
                    additional(endpoints, WebServerNamespace.MANAGEMENT));
        }

        /** The paths as the routes have them: {@link PathMappedEndpoints#getPath} keeps slashes that the routes leave out. */
        private static Stream<String> served(EndpointMapping base, Stream<String> roots) {
            return roots.map(base::createSubPath);
        }

        private static Paths additional(PathMappedEndpoints endpoints, WebServerNamespace where) {
            return paths(endpoints.getAdditionalPaths(where, HEALTH).stream());
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

    /** Whether the endpoints have their own port, and it came there. */
    boolean isOnItsOwnPort(ServerWebExchange exchange) {
        return separatePort
                && WebServerApplicationContext.hasServerNamespace(exchange.getApplicationContext(), "management");
    }

    /** Whether it is one of the two probes, which return only the status. */
    boolean isProbe(ServerWebExchange exchange) {
        return isServedHere(exchange) && contains(served.get().probes(), exchange) && !isRestricted(exchange);
    }

    /** Whether it is an endpoint that returns no more than the API does. */
    boolean isForReaders(ServerWebExchange exchange) {
        return ((isServedHere(exchange) && contains(served.get().forReaders(), exchange)) || isAdditional(exchange))
                && !isRestricted(exchange);
    }

    /** Whether it is any endpoint, or anything else on a separate port. */
    boolean isManagement(ServerWebExchange exchange) {
        return isForReaders(exchange) || isRestricted(exchange) || isOnItsOwnPort(exchange);
    }

    private boolean isRestricted(ServerWebExchange exchange) {
        return isServedHere(exchange) && contains(served.get().restricted(), exchange);
    }

    private boolean isAdditional(ServerWebExchange exchange) {
        boolean management = isServedHere(exchange);
        return (management && contains(served.get().onManagement(), exchange))
                || (!(management && separatePort) && contains(served.get().onServer(), exchange));
    }

    private boolean isServedHere(ServerWebExchange exchange) {
        return !separatePort || isOnItsOwnPort(exchange);
    }

    private static boolean contains(Paths paths, ServerWebExchange exchange) {
        return paths.contain(exchange.getRequest().getPath().pathWithinApplication());
    }
}
