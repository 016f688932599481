package dev.lockstep.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of a server: objects as maps, arrays as lists. The module needs no library for as little as it reads. */
final class JsonReader {
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Reads a text that is one object.
     *
     * @throws IllegalArgumentException if it is not
     */
    static Map<String, @Nullable Object> object(String text) {
        JsonReader reader = new JsonReader(text);
        reader.skipBlanks();
        reader.expect('{');
        Map<String, @Nullable Object> object = reader.members();
        reader.skipBlanks();
        if (reader.at < text.length()) {
            throw reader.wrong();
        }
        return object;
    }

    private @Nullable Object value() {
        skipBlanks();
        char next = next();
        return switch (next) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            case 't' -> word("rue", true);
            case 'f' -> word("alse", false);
            case 'n' -> word("ull", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members() {
        enter();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (!ends('}', members.isEmpty())) {
            skipBlanks();
            expect('"');
            String name = string();
            skipBlanks();
            expect(':');
            members.put(name, value());
        }
        depth--;
        return members;
    }

    private List<@Nullable Object> elements() {
        enter();
        List<@Nullable Object> elements = new ArrayList<>();
        while (!ends(']', elements.isEmpty())) {
            elements.add(value());
        }
        depth--;
        return elements;
    }

    private void enter() {
        if (++depth > DEEPEST) {
            throw wrong();
        }
    }

    /** Whether the end is here; otherwise steps over the comma, which stands before all but the first. */
    private boolean ends(char end, boolean first) {
        skipBlanks();
        char next = next();
        if (next == end) {
            return true;
        }
        if (first) {
            at--;
        } else if (next != ',') {
            throw wrong();
        }
        return false;
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        for (char next = next(); next != '"'; next = next()) {
            read.append(next == '\\' ? escaped(next()) : next);
        }
        return read.toString();
    }

    private char escaped(char escape) {
        return switch (escape) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            case '"', '\\', '/' -> escape;
            default -> throw wrong();
        };
    }

    private char unicode() {
        if (at + 4 > text.length()) {
            throw wrong();
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private @Nullable Object word(String rest, @Nullable Object meaning) {
        if (!text.startsWith(rest, at)) {
            throw wrong();
        }
        at += rest.length();
        return meaning;
    }

    private Number number() {
        int start = at - 1;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        return number.matches("-?\\d{1,18}") ? (Number) Long.valueOf(number) : Double.valueOf(number);
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw wrong();
        }
    }

    private char next() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at++);
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("No JSON at character " + at);
    }
}
