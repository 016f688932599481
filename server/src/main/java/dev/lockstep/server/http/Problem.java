package dev.lockstep.server.http;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** An answer that says what is wrong, and what to do: problem+json with a stable code. */
public final class Problem extends ErrorResponseException {
    private static final long serialVersionUID = 1L;

    private final transient HttpHeaders headers = new HttpHeaders();

    private Problem(HttpStatusCode status, ProblemDetail body, @Nullable Throwable cause) {
        super(status, body, cause);
    }

    /** A problem with a code of the API's document, and a sentence for the person who reads it. */
    public static Problem of(HttpStatus status, String code, boolean retryable, String detail) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(status, detail);
        body.setType(URI.create("/problems/" + code));
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("code", code);
        properties.put("retryable", retryable);
        body.setProperties(properties);
        return new Problem(status, body, null);
    }

    /** A request that is wrong in itself: 400 {@code invalid-request}. */
    public static Problem invalid(String field, String detail) {
        return of(HttpStatus.BAD_REQUEST, "invalid-request", false, detail).with("field", field);
    }

    /** The same with one more field. */
    public Problem with(String field, Object value) {
        getBody().setProperty(field, value);
        return this;
    }

    /** The same with one more header. */
    public Problem withHeader(String name, String value) {
        headers.add(name, value);
        return this;
    }

    /** Without one: it is an answer, a flash sale gives thousands of them a second, and its place is never logged. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }
}
