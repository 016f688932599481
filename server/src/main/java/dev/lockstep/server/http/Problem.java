package dev.lockstep.server.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** An answer that says what is wrong, and what to do: problem+json with a stable code. */
public final class Problem extends ErrorResponseException {
    private static final long serialVersionUID = 1L;

    private Problem(HttpStatusCode status, ProblemDetail body, @Nullable Throwable cause) {
        super(status, body, cause);
    }

    /** A problem with a code of the API's document, and a sentence for the person who reads it. */
    public static Problem of(HttpStatus status, String code, boolean retryable, String detail) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(status, detail);
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
}
