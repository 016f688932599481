package dev.lockstep.server.locks;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** Releases leases whose clients were gone before the answer was written. */
@Component
final class VanishedClients implements WebFilter {
    private final Desk desk;

    VanishedClients(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange).doFinally(end -> {
            if (exchange.getAttribute(Handover.ATTRIBUTE) instanceof Handover handover && !isWritten(end, exchange)) {
                handover.abandon().ifPresent(desk::giveBack);
            }
        });
    }

    /** A request that is cancelled at the right moment completes without an answer. */
    private static boolean isWritten(SignalType end, ServerWebExchange exchange) {
        return end == SignalType.ON_COMPLETE && exchange.getResponse().isCommitted();
    }
}
