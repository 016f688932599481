package dev.lockstep.server.locks;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockFigures;
import dev.lockstep.core.Locks;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.Credential;
import dev.lockstep.server.locks.keys.KeyReader;
import dev.lockstep.server.locks.restart.GrantGate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/** Says what this server is. */
@RestController
final class StatusApi {
    private final Locks locks;
    private final KeyReader keys;
    private final GrantGate gate;
    private final Node node;
    private final ServerProperties properties;
    private final PairSight pair;
    private final LeaseLimit limit;
    private final ObjectProvider<IntSupplier> listeners;
    private final Instant startedAt = Instant.now();
    private final String version =
            Objects.requireNonNullElse(StatusApi.class.getPackage().getImplementationVersion(), "development");

    StatusApi(
            Locks locks,
            KeyReader keys,
            GrantGate gate,
            Node node,
            ServerProperties properties,
            PairSight pair,
            LeaseLimit limit,
            @Qualifier("eventListeners") ObjectProvider<IntSupplier> listeners) {
        this.locks = locks;
        this.keys = keys;
        this.gate = gate;
        this.node = node;
        this.properties = properties;
        this.pair = pair;
        this.limit = limit;
        this.listeners = listeners;
    }

    @GetMapping("/api/status")
    Status status(ServerWebExchange exchange) {
        LockFigures figures = locks.figures();
        return new Status(
                "lockstep",
                version,
                node.name(),
                locks.storeName(),
                startedAt,
                Duration.between(startedAt, Instant.now()).toMillis(),
                properties.demo(),
                Credential.of(exchange).right().wire(),
                gate.grantsFrom().orElse(null),
                keys.declared(),
                keys.definitions().stream().map(StatusApi::kind).toList(),
                limit.most(),
                figures.held(),
                figures.waiting(),
                listeners.stream().mapToInt(IntSupplier::getAsInt).sum(),
                pair.view().orElse(null));
    }

    private static Status.Kind kind(KindDefinition kind) {
        return new Status.Kind(kind.prefix(), kind.rank(), kind.parent().orElse(null), kind.leaf());
    }
}
