package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.Problem;
import dev.lockstep.spring.LockstepStartException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Sends requests about a lease on to the server that keeps it, and its answer back. Never further than one step. */
@Component
final class Forwarding {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);

    /** Names the server that a request came from. */
    private static final String FORWARDED_BY = "Lockstep-Forwarded-By";

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Node node;
    private final WebClient http;

    Forwarding(Node node, ServerProperties properties, SslBundles bundles) {
        this.node = node;
        @Nullable String bundle = properties.peersSslBundle();
        http = bundle == null ? WebClient.create() : trusting(bundles.getBundle(bundle));
        if (node.sendsTokensInClearText()) {
            LOG.warn(
                    "lockstep.server.peers has addresses with http:// on other machines, to which the tokens of forwarded requests"
                            + " travel in clear text. Use https://.");
        }
    }

    private static WebClient trusting(SslBundle bundle) {
        SslContext context = context(bundle);
        HttpClient client = HttpClient.create().secure(tls -> tls.sslContext(context));
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(client))
                .build();
    }

    private static SslContext context(SslBundle bundle) {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(bundle.getManagers().getTrustManagerFactory())
                    .build();
        } catch (SSLException e) {
            throw new LockstepStartException(
                    "The SSL bundle of lockstep.server.peers-ssl-bundle can't be used: " + e.getMessage() + ".",
                    "Write a bundle under spring.ssl.bundle whose truststore has the certificates of the peers.");
        }
    }

    boolean concerns(LeaseId id) {
        return !id.node().equals(node.name());
    }

    /** The answer of the server that keeps the lease. */
    Mono<ResponseEntity<Object>> forward(LeaseId id, ServerWebExchange exchange, Optional<Object> body) {
        URI peer = peer(id, exchange);
        HttpMethod method = exchange.getRequest().getMethod();
        HttpHeaders received = exchange.getRequest().getHeaders();
        @Nullable String authorization = received.getFirst(HttpHeaders.AUTHORIZATION);
        WebClient.RequestBodySpec request = http.method(method)
                .uri(peer.resolve(exchange.getRequest().getPath().value()))
                .header(FORWARDED_BY, node.name());
        if (authorization != null) {
            request.header(HttpHeaders.AUTHORIZATION, authorization);
        }
        body.ifPresent(value -> request.contentType(MediaType.APPLICATION_JSON).bodyValue(value));
        return request.exchangeToMono(answer -> answer.toEntity(byte[].class))
                .timeout(LONGEST)
                .onErrorMap(error -> unreachable(id))
                .map(Forwarding::passedOn);
    }

    private URI peer(LeaseId id, ServerWebExchange exchange) {
        @Nullable String by = exchange.getRequest().getHeaders().getFirst(FORWARDED_BY);
        Optional<URI> peer = by == null ? node.peer(id.node()) : Optional.empty();
        return peer.orElseThrow(() -> Problem.of(
                HttpStatus.NOT_FOUND,
                "unknown-node",
                false,
                "The lease is kept by server '" + id.node() + "', and "
                        + (by == null
                                ? "this server '" + node.name()
                                        + "' knows no such one. Name it under lockstep.server.peers."
                                : "server '" + by + "' takes this one, which is '" + node.name()
                                        + "', for it. Correct lockstep.server.peers there.")));
    }

    private static Problem unreachable(LeaseId id) {
        return Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "node-unreachable",
                true,
                "The lease is kept by server '" + id.node()
                        + "', which doesn't answer. Try again; without a renewal the lease expires.");
    }

    private static ResponseEntity<Object> passedOn(ResponseEntity<byte[]> answer) {
        ResponseEntity.BodyBuilder passed = ResponseEntity.status(answer.getStatusCode());
        @Nullable MediaType type = answer.getHeaders().getContentType();
        if (type != null) {
            passed.contentType(type);
        }
        byte @Nullable [] body = answer.getBody();
        return body == null ? passed.build() : passed.body(body);
    }
}
