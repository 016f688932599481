package dev.lockstep.server.locks;

import java.net.InetSocketAddress;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Takes, renews and gives back locks for clients. */
@RestController
@RequestMapping("/api/locks")
final class LocksApi {
    private final AskReader reader;
    private final Desk desk;
    private final Node node;

    LocksApi(AskReader reader, Desk desk, Node node) {
        this.reader = reader;
        this.desk = desk;
        this.node = node;
    }

    @PostMapping
    Mono<ResponseEntity<LeaseView>> acquire(@RequestBody AcquireRequest body, ServerWebExchange exchange) {
        Ask ask = reader.read(body, client(exchange));
        Handover handover = new Handover();
        exchange.getAttributes().put(Handover.ATTRIBUTE, handover);
        return desk.acquire(ask, handover).map(held -> {
            LeaseView view = view(held);
            return ResponseEntity.created(URI.create("/api/locks/" + view.leaseId()))
                    .body(view);
        });
    }

    @PostMapping("/{leaseId}/renew")
    Mono<LeaseView> renew(@PathVariable String leaseId, @RequestBody RenewRequest body) {
        LeaseId id = LeaseId.read(leaseId).orElseThrow(LockProblems::leaseExpired);
        return desk.renew(id.lease(), reader.extension(body)).map(this::view);
    }

    @DeleteMapping("/{leaseId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> release(@PathVariable String leaseId) {
        LeaseId id = LeaseId.read(leaseId).orElseThrow(LockProblems::leaseExpired);
        return desk.release(id.lease());
    }

    private LeaseView view(DeskLease held) {
        return LeaseView.of(held, node.idOf(held.lease().id()));
    }

    private static String client(ServerWebExchange exchange) {
        InetSocketAddress address = exchange.getRequest().getRemoteAddress();
        return address == null || address.getAddress() == null
                ? "unknown"
                : address.getAddress().getHostAddress();
    }
}
