package dev.lockstep.server.http;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Answers every error with problem+json, whatever the client says it accepts. It comes before Spring Boot's own page. */
@Component
@Order(-2)
final class ProblemAnswers implements WebExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAnswers.class);

    private final JsonMapper json;

    ProblemAnswers(JsonMapper json) {
        this.json = json;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
        ServerHttpResponse response = exchange.getResponse();
        if (DisconnectedClientHelper.isClientDisconnectedException(error)) {
            return Mono.empty(); // no client to answer, and no error of the server's
        }
        if (response.isCommitted()) {
            return Mono.error(error); // too late: the connection is closed, which a client notices
        }
        Problem problem = RequestFaults.problem(error, exchange).orElseGet(() -> internal(error, exchange));
        ProblemDetail body = problem.getBody();
        body.setInstance(null);
        response.setStatusCode(problem.getStatusCode());
        response.getHeaders().putAll(problem.getHeaders());
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        byte[] bytes = json.writeValueAsBytes(body);
        response.getHeaders().setContentLength(bytes.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
    }

    /** A path without the ids of leases and reservations, which are secrets. */
    private static String withoutSecrets(String path) {
        return path.replaceFirst("^(/api/(?:locks|inventory/reservations)/)[^/]+", "$1…");
    }

    private static Problem internal(Throwable error, ServerWebExchange exchange) {
        String id = UUID.randomUUID().toString();
        LOG.error(
                "Unexpected error {} at {} {}",
                id,
                exchange.getRequest().getMethod(),
                withoutSecrets(exchange.getRequest().getPath().value()),
                error);
        return Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "internal",
                false,
                "Something went wrong that should not have. The server's log says more under " + id
                        + ". Whether the request took effect is not known; look before you send it again.");
    }
}
