package dev.lockstep.chaos;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One event of a history, as {@code 123456789 grant op=4 token=0.17}.
 *
 * @param nanos when, on the monotonic clock that all processes of the machine share
 * @param verb what happened
 * @param fields the rest, in the order in which it is written; neither names nor values have spaces
 */
record HistoryLine(long nanos, String verb, Map<String, String> fields) {
    /** An event with names and values in turn. */
    static HistoryLine of(long nanos, String verb, Object... pairs) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put(pairs[i].toString(), pairs[i + 1].toString().replaceAll("\\s+", "_"));
        }
        return new HistoryLine(nanos, verb, fields);
    }

    /** Empty for what is none. */
    static Optional<HistoryLine> parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length < 2 || !words[0].matches("-?[0-9]+")) {
            return Optional.empty();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            String[] pair = words[i].split("=", 2);
            if (pair.length < 2) {
                return Optional.empty();
            }
            fields.put(pair[0], pair[1]);
        }
        return Optional.of(new HistoryLine(Long.parseLong(words[0]), words[1], fields));
    }

    boolean is(String other) {
        return verb.equals(other);
    }

    boolean has(String field) {
        return fields.containsKey(field);
    }

    String text(String field) {
        String value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no " + field + " in: " + this);
        }
        return value;
    }

    long number(String field) {
        return Long.parseLong(text(field));
    }

    @Override
    public String toString() {
        String rest = fields.entrySet().stream()
                .map(field -> " " + field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining());
        return nanos + " " + verb + rest;
    }
}
