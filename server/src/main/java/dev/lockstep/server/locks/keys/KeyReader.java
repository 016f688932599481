package dev.lockstep.server.locks.keys;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockKey;
import dev.lockstep.server.http.ClientWords;
import dev.lockstep.server.http.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads keys in text form. */
public abstract class KeyReader {
    private static final int LONGEST = 2_000;

    /** Reads keys of any kinds, as a server without declared kinds does: the same key has the same ranks. */
    public static KeyReader open() {
        return new OpenKeys();
    }

    /** Whether only known kinds can be locked. */
    public abstract boolean declared();

    /** The kinds that are known now. */
    public abstract List<KindDefinition> definitions();

    /** The key of a text that may name new kinds, where such are allowed. */
    public abstract LockKey parse(String text);

    /** The key of a text. Kinds that it names are not known afterwards: a question declares nothing. */
    public abstract LockKey parseOnly(String text);

    /** The key that a client wants to lock. */
    public final LockKey read(String field, @Nullable String text) {
        try {
            return parse(checked(field, text));
        } catch (InvalidRequestException e) {
            throw Problem.invalid(field, ClientWords.of(String.valueOf(e.getMessage())));
        }
    }

    /** The key that a client looks for. */
    public final LockKey find(String field, String text) {
        try {
            return parseOnly(checked(field, text));
        } catch (InvalidRequestException e) {
            throw Problem.invalid(field, ClientWords.of(String.valueOf(e.getMessage())));
        }
    }

    private static String checked(String field, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            throw Problem.invalid(field, field + " is empty. Write a key such as user:u1/account:a1.");
        }
        if (text.length() > LONGEST) {
            throw Problem.invalid(
                    field,
                    field + " has " + text.length() + " characters, and " + LONGEST + " are allowed: '" + Shown.of(text)
                            + "'. Use shorter ids, such as hashes of them.");
        }
        if (Shown.hasControl(text)) {
            throw Problem.invalid(
                    field,
                    field + " has control characters: '" + Shown.of(text) + "'. Write each of their bytes as %XX.");
        }
        return text;
    }
}
