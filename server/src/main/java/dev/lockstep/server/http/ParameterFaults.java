package dev.lockstep.server.http;

import org.springframework.beans.TypeMismatchException;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.server.ServerWebInputException;

/** What is wrong with a parameter of the path or the query, or with a body that isn't there. */
final class ParameterFaults {
    private ParameterFaults() {}

    static Problem problem(ServerWebInputException error) {
        MethodParameter parameter = error.getMethodParameter();
        if (parameter == null) {
            return Problem.of(
                    HttpStatus.BAD_REQUEST,
                    "invalid-request",
                    false,
                    "The request can't be read: " + error.getReason() + ".");
        }
        if (parameter.hasParameterAnnotation(RequestBody.class)) {
            return noBody();
        }
        String name = parameter.getParameterName() == null ? "parameter" : parameter.getParameterName();
        if (error.getCause() instanceof TypeMismatchException mismatch) {
            return Problem.invalid(
                    name,
                    name + " must be " + JsonFaults.expected(parameter.getNestedParameterType()) + ", and is \""
                            + JsonFaults.shortened(String.valueOf(mismatch.getValue())) + "\".");
        }
        return Problem.invalid(name, name + " is missing. It is required here.");
    }

    /** A body that isn't there, or is null. */
    static Problem noBody() {
        return Problem.invalid("body", "The request has no body. Send a JSON object.");
    }
}
