package dev.lockstep.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The API's document, and whether a value fits a schema of it: as much of JSON Schema as the document uses. */
final class ApiSchema {
    private final Map<?, ?> document;

    ApiSchema() {
        try (InputStream in = ApiSchema.class.getResourceAsStream("/openapi.yaml")) {
            document = new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<?, ?> at(String... names) {
        Map<?, ?> found = document;
        for (String each : names) {
            found = resolved((Map<?, ?>) Objects.requireNonNull(found.get(each), each));
        }
        return found;
    }

    /** What a reference leads to, or the node itself. */
    Map<?, ?> resolved(Map<?, ?> node) {
        return node.get("$ref") instanceof String reference
                ? at(reference.substring("#/".length()).split("/", -1))
                : node;
    }

    /** Where and how the value doesn't fit; empty when it does. */
    List<String> misfits(Object value, Map<?, ?> schema, String where) {
        List<String> found = new ArrayList<>();
        collect(value, resolved(schema), where, found);
        return found;
    }

    private void collect(Object value, Map<?, ?> schema, String where, List<String> found) {
        if (schema.get("allOf") instanceof List<?> all) {
            all.forEach(each -> found.addAll(misfits(value, (Map<?, ?>) each, where)));
        }
        if (schema.get("type") != null && !types(schema).contains(typeOf(value)) && !isWholeNumber(value, schema)) {
            found.add(where + " is " + typeOf(value) + ", not " + types(schema));
            return;
        }
        if (schema.get("enum") instanceof List<?> allowed && !allowed.contains(value)) {
            found.add(where + " is " + value + ", not one of " + allowed);
        }
        if (value instanceof Map<?, ?> object) {
            collectFields(object, schema, where, found);
        }
        if (value instanceof List<?> list && schema.get("items") instanceof Map<?, ?> items) {
            for (int i = 0; i < list.size(); i++) {
                found.addAll(misfits(list.get(i), items, where + "[" + i + "]"));
            }
        }
        if (value instanceof String text && "date-time".equals(schema.get("format"))) {
            collectTime(text, where, found);
        }
    }

    private void collectFields(Map<?, ?> object, Map<?, ?> schema, String where, List<String> found) {
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(each -> !object.containsKey(each))
                    .forEach(each -> found.add(where + " has no " + each));
        }
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        object.forEach((name, value) -> {
            if (properties.get(name) instanceof Map<?, ?> property) {
                found.addAll(misfits(value, property, where + "." + name));
            } else if (schema.get("additionalProperties") instanceof Map<?, ?> others) {
                found.addAll(misfits(value, others, where + "." + name));
            } else if (schema.containsKey("properties") && !where.startsWith("problem")) {
                found.add(where + " has the field " + name + ", of which the document says nothing");
            }
        });
    }

    private static void collectTime(String text, String where, List<String> found) {
        try {
            Instant.parse(text);
        } catch (DateTimeParseException e) {
            found.add(where + " is " + text + ", not an instant");
        }
    }

    private static List<?> types(Map<?, ?> schema) {
        return schema.get("type") instanceof List<?> several ? several : List.of(schema.get("type"));
    }

    private static boolean isWholeNumber(Object value, Map<?, ?> schema) {
        return types(schema).contains("number") && value instanceof Number;
    }

    private static String typeOf(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Map) {
            return "object";
        }
        if (value instanceof List) {
            return "array";
        }
        if (value instanceof Boolean) {
            return "boolean";
        }
        return value instanceof String
                ? "string"
                : value instanceof Integer || value instanceof Long || value instanceof java.math.BigInteger
                        ? "integer"
                        : "number";
    }
}
