package dev.lockstep.core.internal;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys as text. In ids, '%', '/', ':', control characters and lone surrogates are written as %XX for each of their bytes,
 * so that a text can be split, logged and sent as UTF-8 without losing anything.
 */
public final class KeyText {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /** The smallest code point that needs this many bytes more than one. */
    private static final int[] SMALLEST = {0, 0x80, 0x800, 0x10000};

    private KeyText() {}

    /** A key as {@code user:u1/account:a1}. */
    public static String path(LockKey key) {
        StringBuilder text = new StringBuilder();
        appendPath(key, text);
        return text.toString();
    }

    private static void appendPath(LockKey key, StringBuilder text) {
        key.parent().ifPresent(parent -> {
            appendPath(parent, text);
            text.append('/');
        });
        text.append(key.kind().prefix()).append(':').append(escape(key.id()));
    }

    /** A key without a parent as {@code 02:equipment:B}. */
    public static String named(LockKey key) {
        if (key.depth() > 1) {
            throw new InvalidRequestException("'" + key + "' has a parent, so it has no form like '02:equipment:B'. Use"
                    + " toString(), which names the whole path.");
        }
        return String.format(Locale.ROOT, "%02d:%s:%s", key.rank(), key.kind().prefix(), escape(key.id()));
    }

    /** Reads either form. */
    public static LockKey parse(String text, Kinds kinds) {
        if (text.isEmpty()) {
            throw bad(text, "is empty", "Write a key such as 'user:u1/account:a1'.");
        }
        return Character.isDigit(text.charAt(0)) ? parseNamed(text, kinds) : parsePath(text, kinds);
    }

    private static LockKey parsePath(String text, Kinds kinds) {
        @Nullable LockKey key = null;
        for (String part : text.split("/", -1)) {
            int colon = part.indexOf(':');
            if (colon < 1) {
                throw bad(
                        text,
                        "has the part '" + part + "' without a kind",
                        "Write 'kind:id', and '/' in an id as %2F.");
            }
            LockKind kind = kind(text, part.substring(0, colon), kinds);
            String id = unescape(text, part.substring(colon + 1));
            key = key == null ? kind.key(id) : key.child(kind, id);
        }
        return Objects.requireNonNull(key);
    }

    private static LockKey parseNamed(String text, Kinds kinds) {
        String[] parts = text.split(":", 3);
        if (parts.length < 3) {
            throw bad(text, "is not of the form 'rank:kind:id'", "Write it like '02:equipment:B'.");
        }
        LockKind kind = kind(text, parts[1], kinds);
        if (!parts[0].matches("[0-9]{1,10}") || Long.parseLong(parts[0]) != kind.rank()) {
            throw bad(
                    text,
                    "has rank " + parts[0] + ", but kind '" + kind.prefix() + "' has rank " + kind.rank(),
                    "Write '" + String.format(Locale.ROOT, "%02d", kind.rank()) + ":" + kind.prefix() + ":…'.");
        }
        return kind.key(unescape(text, parts[2]));
    }

    private static LockKind kind(String text, String prefix, Kinds kinds) {
        return kinds.find(prefix)
                .orElseThrow(() -> bad(
                        text,
                        "names the unknown kind '" + prefix + "'",
                        "Known are: "
                                + String.join(
                                        ", ",
                                        kinds.definitions().stream()
                                                .map(KindDefinition::prefix)
                                                .toList()) + "."));
    }

    /** An id as it is written in keys. */
    public static String escape(String id) {
        StringBuilder text = new StringBuilder(id.length());
        id.codePoints().forEach(codePoint -> {
            if (needsEscape(codePoint)) {
                appendEscaped(codePoint, text);
            } else {
                text.appendCodePoint(codePoint);
            }
        });
        return text.toString();
    }

    private static boolean needsEscape(int codePoint) {
        return codePoint == '%'
                || codePoint == '/'
                || codePoint == ':'
                || Character.isISOControl(codePoint)
                || Character.getType(codePoint) == Character.SURROGATE;
    }

    private static void appendEscaped(int codePoint, StringBuilder text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4);
        CanonicalBytes.encode(codePoint, bytes);
        for (byte b : bytes.toByteArray()) {
            text.append('%').append(HEX[(b >> 4) & 0xF]).append(HEX[b & 0xF]);
        }
    }

    private static String unescape(String text, String part) {
        StringBuilder id = new StringBuilder(part.length());
        int at = 0;
        while (at < part.length()) {
            char c = part.charAt(at);
            if (c == '%') {
                at = unescapeOne(text, part, at, id);
            } else if (c == ':') {
                throw bad(text, "has a ':' inside the id '" + part + "'", "Write ':' in an id as %3A.");
            } else {
                id.append(c);
                at++;
            }
        }
        return id.toString();
    }

    /** Reads one escaped character, which is one to four escaped bytes, and returns where it ends. */
    private static int unescapeOne(String text, String part, int at, StringBuilder id) {
        int first = escapedByte(text, part, at);
        int more =
                first < 0x80 ? 0 : first >> 5 == 0b110 ? 1 : first >> 4 == 0b1110 ? 2 : first >> 3 == 0b11110 ? 3 : -1;
        if (more < 0) {
            throw badEscape(text, part, at);
        }
        int codePoint = more == 0 ? first : first & (0x3F >> more);
        for (int i = 1; i <= more; i++) {
            int next = escapedByte(text, part, at + 3 * i);
            if (next >> 6 != 0b10) {
                throw badEscape(text, part, at);
            }
            codePoint = (codePoint << 6) | (next & 0x3F);
        }
        if (codePoint > Character.MAX_CODE_POINT
                || codePoint < SMALLEST[more]) { // two spellings of one id would be two texts
            throw badEscape(text, part, at);
        }
        id.appendCodePoint(codePoint);
        return at + 3 * (more + 1);
    }

    private static int escapedByte(String text, String part, int at) {
        if (at + 2 < part.length() && part.charAt(at) == '%') {
            int high = hexDigit(part.charAt(at + 1));
            int low = hexDigit(part.charAt(at + 2));
            if (high >= 0 && low >= 0) {
                return (high << 4) | low;
            }
        }
        throw badEscape(text, part, at);
    }

    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static InvalidRequestException badEscape(String text, String part, int at) {
        return bad(text, "has a broken escape at position " + at + " of '" + part + "'", "Write '%' in an id as %25.");
    }

    private static InvalidRequestException bad(String text, String what, String instead) {
        return new InvalidRequestException("The key '" + text + "' " + what + ". " + instead);
    }
}
