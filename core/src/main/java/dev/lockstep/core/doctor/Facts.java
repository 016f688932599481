package dev.lockstep.core.doctor;

import java.util.Map;

/**
 * What a server says about itself: its settings and some counts, by name. A doctor judges them apart from
 * the server, so that odd ones can be made up.
 *
 * @param values names in lower case
 */
public record Facts(Map<String, String> values) {
    /** Keeps a copy. */
    public Facts {
        values = Map.copyOf(values);
    }

    /** Empty when the server has no such thing. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** Zero when the server has no such thing. */
    public long number(String name) {
        String value = text(name);
        return value.matches("-?\\d{1,18}") ? Long.parseLong(value) : 0;
    }

    /** Whether the server has such a thing, and it is switched on. */
    public boolean isOn(String name) {
        return !text(name).isEmpty() && !text(name).matches("(?i)off|0|false|no|none");
    }

    /** Whether the server has such a thing, and it is switched off. */
    public boolean isOff(String name) {
        return !text(name).isEmpty() && !isOn(name);
    }
}
