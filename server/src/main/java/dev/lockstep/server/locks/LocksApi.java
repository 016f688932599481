package dev.lockstep.server.locks;

import dev.lockstep.server.http.ClientShare;
import dev.lockstep.server.http.Credential;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Takes, renews and releases locks for clients. */
@RestController
@RequestMapping(LocksApi.PATH)
final class LocksApi {
    static final String PATH = "/api/locks";

    private final AskReader reader;
    private final Desk desk;
    private final Node node;
    private final Forwarding forwarding;
    private final RequestIds requests;

    LocksApi(AskReader reader, Desk desk, Node node, Forwarding forwarding, RequestIds requests) {
        this.reader = reader;
        this.desk = desk;
        this.node = node;
        this.forwarding = forwarding;
        this.requests = requests;
    }

    @PostMapping
    Mono<ResponseEntity<LeaseView>> acquire(@RequestBody AcquireRequest body, ServerWebExchange exchange) {
        return take(body, exchange)
                .map(lease -> ResponseEntity.created(URI.create(location(lease, exchange)))
                        .body(lease));
    }

    Mono<LeaseView> take(AcquireRequest body, ServerWebExchange exchange) {
        Ask ask = reader.read(body, address(exchange), ClientShare.client(exchange));
        return ask.requestId() == null
                ? acquire(ask, new Handover(), exchange)
                : acquireOnce(ask.requestId(), ask, body, exchange);
    }

    private Mono<LeaseView> acquire(Ask ask, Handover handover, ServerWebExchange exchange) {
        exchange.getAttributes().put(Handover.ATTRIBUTE, handover);
        return desk.acquire(ask, handover).map(this::view);
    }

    /** A lease that the request already has is answered again; who vanishes then keeps it. */
    private Mono<LeaseView> acquireOnce(String id, Ask ask, AcquireRequest body, ServerWebExchange exchange) {
        Handover handover = new Handover();
        return Mono.defer(() -> requests.begin(id, Credential.of(exchange), body, handover)
                .map(held -> Mono.just(view(held)))
                .orElseGet(() -> acquire(ask, handover, exchange)
                        .doOnError(refused -> requests.forget(id, handover))
                        .doOnCancel(() -> requests.forget(id, handover))));
    }

    /** Below the base path, where one is configured. */
    static String location(LeaseView lease, ServerWebExchange exchange) {
        return exchange.getRequest().getPath().contextPath().value() + PATH + "/" + lease.leaseId();
    }

    @PostMapping("/{leaseId}/renew")
    Mono<ResponseEntity<Object>> renew(
            @PathVariable String leaseId, @RequestBody RenewRequest body, ServerWebExchange exchange) {
        Duration term = reader.extension(body);
        LeaseId id = LeaseId.read(leaseId).orElseThrow(LockProblems::leaseExpired);
        return forwarding.concerns(id)
                ? forwarding.forward(id, exchange, Optional.of(body))
                : desk.renew(id, term).map(held -> ResponseEntity.ok(view(held)));
    }

    @DeleteMapping("/{leaseId}")
    Mono<ResponseEntity<Object>> release(@PathVariable String leaseId, ServerWebExchange exchange) {
        LeaseId id = LeaseId.read(leaseId).orElseThrow(LockProblems::leaseExpired);
        return keeps(id)
                ? giveBack(id).thenReturn(ResponseEntity.noContent().build())
                : forwarding.forward(id, exchange, Optional.empty());
    }

    /** Whether the lease is one of this server's, by its id. */
    boolean keeps(LeaseId id) {
        return !forwarding.concerns(id);
    }

    Mono<Void> giveBack(LeaseId id) {
        return desk.release(id);
    }

    private LeaseView view(DeskLease held) {
        return LeaseView.of(held, node.idOf(held));
    }

    private static String address(ServerWebExchange exchange) {
        InetSocketAddress address = exchange.getRequest().getRemoteAddress();
        return address == null || address.getAddress() == null
                ? "unknown"
                : address.getAddress().getHostAddress();
    }
}
