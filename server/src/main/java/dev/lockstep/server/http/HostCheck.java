package dev.lockstep.server.http;

import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Refuses requests to names that are not this server's: a foreign page whose name was made to lead here sends its own. */
@Component
@Order(FilterOrder.HOST)
final class HostCheck implements WebFilter {
    private final KnownHosts known;
    private final ManagementPaths management;

    HostCheck(KnownHosts known, ManagementPaths management) {
        this.known = known;
        this.management = management;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        List<String> hosts = exchange.getRequest().getHeaders().getOrEmpty(HttpHeaders.HOST);
        return hosts.size() == 1 && known.contain(Authority.host(hosts.get(0)), management.isOnItsOwnPort(exchange))
                ? chain.filter(exchange)
                : Mono.error(refusal(hosts));
    }

    private static Problem refusal(List<String> hosts) {
        return Problem.of(
                HttpStatus.FORBIDDEN,
                "forbidden-host",
                false,
                (hosts.isEmpty()
                                ? "The request names no host."
                                : "The request is for the host " + JsonFaults.shortened(String.join(", ", hosts))
                                        + ", and this server doesn't go by that name.")
                        + " Ask for its address or localhost, or add the name to lockstep.server.hosts.");
    }
}
