package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A key of {@code @Locked}: {@code kind:id/kind:id}, where an id may be an expression or a property. */
final class LockedText {
    private static final Pattern RANK = Pattern.compile("\\d+");
    private static final char PLACEHOLDER = '\u0000';

    private LockedText() {}

    /**
     * What a text says.
     *
     * @param key the key; null if its kinds are not known, or if there is a problem
     * @param problem what is wrong with it, and what to do
     */
    record Reading(@Nullable KeyModel key, @Nullable String problem) {}

    static Reading read(String text, KindLookup kinds, List<HeldModel> held) {
        KeyModel key = null;
        for (String level : withoutPlaceholders(text).split("/", -1)) {
            List<String> parts = new ArrayList<>(List.of(level.split(":", -1)));
            if (key == null && parts.size() == 3 && RANK.matcher(parts.get(0)).matches()) {
                parts.remove(0);
            }
            if (parts.size() != 2 || parts.get(0).indexOf(PLACEHOLDER) >= 0) {
                return new Reading(null, null);
            }
            String prefix = parts.get(0).strip();
            KnownKind kind = kinds.find(prefix, held);
            if (kind == null) {
                return new Reading(null, unknown(text, prefix, kinds));
            }
            String problem = misplaced(text, kind, key);
            if (problem != null) {
                return new Reading(null, problem);
            }
            IdModel id =
                    parts.get(1).indexOf(PLACEHOLDER) >= 0 ? IdModel.unknown() : new IdModel.Constant(parts.get(1));
            key = key == null ? KeyModel.root(kind, id) : key.child(kind, id);
        }
        return new Reading(key, null);
    }

    private static @Nullable String unknown(String text, String prefix, KindLookup kinds) {
        return kinds.isComplete()
                ? "The key '" + text + "' of @Locked names the kind '" + prefix
                        + "', which is not declared. Write one of " + kinds.prefixes() + "."
                : null;
    }

    private static @Nullable String misplaced(String text, KnownKind kind, @Nullable KeyModel above) {
        KnownKind expected = kind.parent();
        KnownKind actual = above == null ? null : above.kind();
        if (expected == null && actual == null) {
            return null;
        }
        if (expected != null && actual != null && expected.isSame(actual)) {
            return null;
        }
        return expected == null
                ? "The key '" + text + "' of @Locked has " + kind + " below another kind, but it has no parent. Write '"
                        + kind.prefix() + ":id' alone."
                : "The key '" + text + "' of @Locked has " + kind + " without its parent " + expected + ". Write '"
                        + expected.prefix() + ":id/" + kind.prefix() + ":id'.";
    }

    private static String withoutPlaceholders(String text) {
        StringBuilder plain = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean opens = (c == '#' || c == '$') && i + 1 < text.length() && text.charAt(i + 1) == '{';
            if (depth == 0 && opens) {
                plain.append(PLACEHOLDER);
                depth = 1;
                i++;
            } else if (depth > 0) {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
