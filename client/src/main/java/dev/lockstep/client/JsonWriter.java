package dev.lockstep.client;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the few requests that the client sends. */
final class JsonWriter {
    private JsonWriter() {}

    /** An object of texts, numbers and lists of texts. */
    static String object(Map<String, ?> members) {
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ":" + value(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(JsonWriter::value).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof Number ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each < ' ' || each > '~' || each == '"' || each == '\\') {
                quoted.append(String.format("\\u%04x", (int) each));
            } else {
                quoted.append(each);
            }
        }
        return quoted.append('"').toString();
    }
}
