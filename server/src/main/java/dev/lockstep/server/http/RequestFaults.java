package dev.lockstep.server.http;

import dev.lockstep.core.LockException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import tools.jackson.core.JacksonException;

/** Which problem an error is. Anything else is an error of the server. */
final class RequestFaults {
    private RequestFaults() {}

    static Optional<Problem> problem(Throwable error, ServerWebExchange exchange) {
        if (error instanceof Problem known) {
            return Optional.of(known);
        }
        if (error instanceof LockException fault) {
            return Optional.of(LockFaults.problem(fault));
        }
        if (error instanceof MethodNotAllowedException method) {
            return Optional.of(method(method, exchange));
        }
        if (error instanceof NotAcceptableStatusException accept) {
            return Optional.of(notAcceptable(accept));
        }
        if (error instanceof UnsupportedMediaTypeStatusException type) {
            return Optional.of(notJson(type.getContentType()));
        }
        if (error instanceof ServerWebInputException input) {
            return Optional.of(input(input));
        }
        if (error instanceof ResponseStatusException status) {
            return status(status, exchange);
        }
        return Optional.empty();
    }

    /** A body that is not called JSON. */
    static Problem notJson(@Nullable MediaType type) {
        return Problem.of(
                HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
                false,
                "The body is "
                        + (type == null ? "of no type" : "called " + type)
                        + ". Send JSON with the header Content-Type: application/json.");
    }

    /** A body of more bytes than allowed. */
    static Problem tooLarge(long limit) {
        return Problem.of(
                HttpStatus.CONTENT_TOO_LARGE,
                "too-large",
                false,
                "The body is larger than " + limit + " bytes, which is the most this server takes"
                        + " (lockstep.server.limits.body). Send less in one request.");
    }

    /** A path that leads nowhere. */
    static Problem notFound(ServerWebExchange exchange) {
        return Problem.of(
                HttpStatus.NOT_FOUND,
                "not-found",
                false,
                "There is nothing at " + exchange.getRequest().getPath().value()
                        + ". What there is stands in /v3/api-docs.");
    }

    private static Problem method(MethodNotAllowedException error, ServerWebExchange exchange) {
        if (exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) instanceof ResourceWebHandler) {
            return notFound(exchange); // the handler of files answers for every path that no other knows
        }
        String allowed = error.getSupportedMethods().stream()
                .map(HttpMethod::name)
                .sorted()
                .collect(Collectors.joining(", "));
        return Problem.of(
                        HttpStatus.METHOD_NOT_ALLOWED,
                        "method-not-allowed",
                        false,
                        error.getHttpMethod() + " is not possible at "
                                + exchange.getRequest().getPath().value() + ", but " + allowed + " is.")
                .withHeader(HttpHeaders.ALLOW, allowed);
    }

    private static Problem notAcceptable(NotAcceptableStatusException error) {
        String types =
                error.getSupportedMediaTypes().stream().map(MediaType::toString).collect(Collectors.joining(", "));
        return Problem.of(
                HttpStatus.NOT_ACCEPTABLE,
                "not-acceptable",
                false,
                "There is no answer of a type that the header Accept asks for"
                        + (types.isEmpty() ? "." : ", only " + types + ".")
                        + " Ask for that, or leave the header out.");
    }

    private static Problem input(ServerWebInputException error) {
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof JacksonException json) {
                return JsonFaults.problem(json);
            }
        }
        return ParameterFaults.problem(error);
    }

    private static Optional<Problem> status(ResponseStatusException error, ServerWebExchange exchange) {
        if (error.getStatusCode().isSameCodeAs(HttpStatus.NOT_FOUND)) {
            return Optional.of(notFound(exchange));
        }
        if (error.getCause() instanceof DataBufferLimitException) {
            return Optional.of(tooLarge(exchange.getAttributeOrDefault(BodyLimit.ATTRIBUTE, 0)));
        }
        return Optional.empty();
    }
}
