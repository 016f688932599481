package dev.lockstep.jdbc.fencing;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A thing that is about to be written and the token that the write carries, checked before anything is sent. */
public record Fence(String kind, String id, FencingToken token) {
    static final int KIND_BYTES = 64;
    static final int ID_BYTES = 1536;
    private static final int SHOWN = 100;

    public Fence {
        check("kind", kind, KIND_BYTES);
        check("id", id, ID_BYTES);
    }

    private static void check(String what, String text, int limit) {
        int length = bytes(what, text).length;
        if (length == 0) {
            throw new InvalidRequestException("The " + what + " of the thing to write is empty. Give it a name.");
        }
        if (length > limit) {
            throw new InvalidRequestException("The " + what + " '" + shown(text) + "' of the thing to write has "
                    + length + " bytes in UTF-8, and " + limit
                    + " are allowed. Use a shorter one, such as a hash of it.");
        }
    }

    byte[] kindBytes() {
        return bytes("kind", kind);
    }

    byte[] idBytes() {
        return bytes("id", id);
    }

    public String thing() {
        return kind + " '" + shown(id) + "'";
    }

    private static byte[] bytes(String what, String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new InvalidRequestException("The " + what + " '" + shown(text)
                    + "' of the thing to write has half of a surrogate pair, so it isn't text. Give whole characters.");
        }
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
