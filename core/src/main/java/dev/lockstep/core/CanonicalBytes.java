package dev.lockstep.core;

import java.io.ByteArrayOutputStream;

/**
 * Ids as bytes: UTF-8, with a lone surrogate written as the three bytes its code point would have. Java's own encoder
 * turns every lone surrogate into '?', which would make two ids one.
 */
final class CanonicalBytes {
    private CanonicalBytes() {}

    static byte[] of(LockKey key) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(key, out);
        return out.toByteArray();
    }

    private static void write(LockKey key, ByteArrayOutputStream out) {
        key.parent().ifPresent(parent -> write(parent, out));
        writeFramed(key.kind().prefix(), out);
        writeFramed(key.id(), out);
    }

    private static void writeFramed(String text, ByteArrayOutputStream out) {
        byte[] bytes = encode(text);
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(bytes.length >>> shift);
        }
        out.writeBytes(bytes);
    }

    static byte[] encode(String text) {
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
    static int compare(String one, String other) {
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
