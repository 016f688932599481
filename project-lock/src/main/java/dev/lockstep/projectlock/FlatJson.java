package dev.lockstep.projectlock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** JSON objects of plain strings and whole numbers: all that the lease files hold. Anything else is none. */
final class FlatJson {
    private static final String FIELD = "\\s*\"([A-Za-z]+)\"\\s*:\\s*(?:\"([^\"\\\\\\p{Cntrl}]*)\"|(-?\\d{1,18}))\\s*";
    private static final Pattern OBJECT = Pattern.compile("\\s*\\{(" + FIELD + "(?:," + FIELD + "){0,15})}\\s*");
    private static final Pattern FIELDS = Pattern.compile("\\G,?" + FIELD);

    private FlatJson() {}

    /** The fields, strings and longs; empty when the text is not such an object or names a field twice. */
    static Optional<Map<String, Object>> parse(String text) {
        Matcher object = OBJECT.matcher(text);
        if (!object.matches()) {
            return Optional.empty();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        Matcher field = FIELDS.matcher(object.group(1));
        while (field.find()) {
            Object value = field.group(3) == null ? field.group(2) : (Object) Long.valueOf(field.group(3));
            if (fields.put(field.group(1), value) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(fields);
    }

    static String format(Map<String, Object> fields) {
        return fields.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":" + value(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(Object value) {
        return value instanceof Long ? value.toString() : "\"" + value + "\"";
    }
}
