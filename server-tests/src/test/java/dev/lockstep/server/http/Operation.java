package dev.lockstep.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One operation of the API's document.
 *
 * @param method GET, POST or DELETE.
 * @param path Its path, with the names of its variables in braces.
 * @param about What the document says about it.
 */
record Operation(String method, String path, Map<?, ?> about) {
    static List<Operation> all(ApiSchema schema) {
        List<Operation> all = new ArrayList<>();
        schema.at("paths")
                .forEach((path, item) -> ((Map<?, ?>) item).forEach((method, about) -> {
                    if (!method.equals("parameters")) {
                        all.add(new Operation(
                                String.valueOf(method).toUpperCase(Locale.ROOT), String.valueOf(path), (Map<?, ?>)
                                        about));
                    }
                }));
        return all;
    }

    String id() {
        return String.valueOf(about.get("operationId"));
    }

    /** The schema of its request's body, if it has one. */
    Optional<Map<?, ?>> body(ApiSchema schema) {
        return about.get("requestBody") instanceof Map<?, ?> body ? json(schema, body) : Optional.empty();
    }

    /** What it says about answers with a status. */
    Optional<Map<?, ?>> answer(ApiSchema schema, int status) {
        Map<?, ?> responses = (Map<?, ?>) about.get("responses");
        Object found = responses.get(String.valueOf(status));
        return found instanceof Map<?, ?> map ? Optional.of(schema.resolved(map)) : Optional.empty();
    }

    /** The schema of a JSON body. */
    static Optional<Map<?, ?>> json(ApiSchema schema, Map<?, ?> body) {
        return body.get("content") instanceof Map<?, ?> content
                        && content.get("application/json") instanceof Map<?, ?> json
                ? Optional.of(schema.resolved((Map<?, ?>) json.get("schema")))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
