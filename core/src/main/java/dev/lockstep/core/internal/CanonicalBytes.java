package dev.lockstep.core.internal;

import dev.lockstep.core.LockKind;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Ids as bytes: UTF-8, with a lone surrogate written as the three bytes its code point would have. Java's own encoder
 * turns every lone surrogate into '?', which would make two ids one.
 */
public final class CanonicalBytes {
    private CanonicalBytes() {}

    /** The bytes of a key: those of the key above it, then its own. */
    public static byte[] of(byte[] above, LockKind kind, String id) {
        byte[] prefix = encode(kind.prefix());
        byte[] own = encode(id);
        byte[] all = Arrays.copyOf(above, above.length + 8 + prefix.length + own.length);
        int at = frame(prefix, all, above.length);
        frame(own, all, at);
        return all;
    }

    private static int frame(byte[] text, byte[] into, int at) {
        for (int i = 0; i < 4; i++) {
            into[at + i] = (byte) (text.length >>> (24 - 8 * i));
        }
        System.arraycopy(text, 0, into, at + 4, text.length);
        return at + 4 + text.length;
    }

    static byte[] encode(String text) {
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return encodeAny(text);
            }
            bytes[i] = (byte) c;
        }
        return bytes;
    }

    private static byte[] encodeAny(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 8);
        text.codePoints().forEach(codePoint -> encode(codePoint, out));
        return out.toByteArray();
    }

    static void encode(int codePoint, ByteArrayOutputStream out) {
        if (codePoint < 0x80) {
            out.write(codePoint);
        } else if (codePoint < 0x800) {
            out.write(0xC0 | (codePoint >> 6));
            out.write(0x80 | (codePoint & 0x3F));
        } else if (codePoint < 0x10000) {
            out.write(0xE0 | (codePoint >> 12));
            out.write(0x80 | ((codePoint >> 6) & 0x3F));
            out.write(0x80 | (codePoint & 0x3F));
        } else {
            out.write(0xF0 | (codePoint >> 18));
            out.write(0x80 | ((codePoint >> 12) & 0x3F));
            out.write(0x80 | ((codePoint >> 6) & 0x3F));
            out.write(0x80 | (codePoint & 0x3F));
        }
    }

    /** Compares as the encoded bytes would, without encoding: UTF-8 keeps the order of code points. */
    public static int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            if (one.charAt(i) != other.charAt(i)) {
                int start = splitsPair(one, other, i) ? i - 1 : i;
                return Integer.compare(one.codePointAt(start), other.codePointAt(start));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    /** Whether the char before the first difference is the first half of a pair in either text. */
    private static boolean splitsPair(String one, String other, int index) {
        return index > 0
                && Character.isHighSurrogate(one.charAt(index - 1))
                && (Character.isLowSurrogate(one.charAt(index)) || Character.isLowSurrogate(other.charAt(index)));
    }
}
