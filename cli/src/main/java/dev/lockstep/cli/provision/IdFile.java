package dev.lockstep.cli.provision;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys as text, one a line, such as {@code user:u1/account:a1}. Empty lines and those that begin with # don't count. */
public final class IdFile {
    private static final String STANDARD_INPUT = "-";
    private static final int MOST_NAMED = 10;

    private final String name;
    private final Kinds kinds;
    private final List<LockKey> keys = new ArrayList<>();
    private final List<String> bad = new ArrayList<>();
    private int line;

    private IdFile(String name, Kinds kinds) {
        this.name = name.equals(STANDARD_INPUT) ? "the standard input" : name;
        this.kinds = kinds;
    }

    /** Reads a file, or the standard input for {@code -}. Names the lines that can't be read. */
    public static List<LockKey> read(String file, LockKind... kinds) {
        IdFile ids = new IdFile(file, Kinds.of(kinds));
        try (BufferedReader reader = open(file)) {
            for (@Nullable String text = reader.readLine(); text != null; text = reader.readLine()) {
                ids.add(text);
            }
        } catch (NoSuchFileException e) {
            throw new InvalidRequestException(
                    "There is no file " + file + ". Name one with a key a line, or - for the standard input.");
        } catch (AccessDeniedException e) {
            throw new InvalidRequestException(
                    "The file " + file + " may not be read by this user. Look at its permissions.");
        } catch (CharacterCodingException e) {
            throw new InvalidRequestException("Line " + (ids.line + 1) + " of " + ids.name
                    + ", or one near it, can't be read as UTF-8. Convert the file.");
        } catch (IOException e) {
            throw new InvalidRequestException("Reading " + ids.name + " failed: " + e.getMessage()
                    + ". Name a file with a key a line, or - for the standard input.");
        }
        return ids.checked();
    }

    private static BufferedReader open(String file) throws IOException {
        return file.equals(STANDARD_INPUT)
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()))
                : Files.newBufferedReader(Path.of(file));
    }

    private void add(String text) {
        line++;
        String key = text.strip();
        if (key.isEmpty() || key.startsWith("#")) {
            return;
        }
        try {
            keys.add(kinds.parse(key));
        } catch (InvalidRequestException e) {
            bad.add("  line " + line + ": " + e.getMessage());
        }
    }

    private List<LockKey> checked() {
        if (!bad.isEmpty()) {
            throw new InvalidRequestException(name + " has " + bad.size()
                    + (bad.size() == 1 ? " line" : " lines")
                    + " without a key that can be used. Nothing was done. Correct:\n"
                    + String.join("\n", bad.subList(0, Math.min(bad.size(), MOST_NAMED)))
                    + (bad.size() > MOST_NAMED ? "\n  and " + (bad.size() - MOST_NAMED) + " more" : ""));
        }
        if (keys.isEmpty()) {
            throw new InvalidRequestException(name + " has no keys. Write one a line, such as user:u1/account:a1.");
        }
        return keys;
    }
}
