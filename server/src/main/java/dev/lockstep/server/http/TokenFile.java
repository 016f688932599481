package dev.lockstep.server.http;

import dev.lockstep.spring.LockstepStartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a file of tokens: a line for each, with its right, its name and itself. Lines that begin with # are remarks. */
final class TokenFile {
    private static final int PARTS = 3;
    private static final int SHORTEST = 16;

    private TokenFile() {}

    static List<Token> read(Path file) {
        List<Token> tokens = new ArrayList<>();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                tokens.add(token(file + ", line " + number, text.split("\\s+", -1)));
            }
        }
        if (tokens.isEmpty()) {
            throw refused(file + " has no tokens");
        }
        return tokens;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw refused("The file of tokens " + file + " can't be read ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /** Never repeats what a line has: it may be a token. */
    private static Token token(String where, String[] parts) {
        if (parts.length != PARTS) {
            throw refused(where + " has " + parts.length + " words");
        }
        Right right = Right.named(parts[0]).orElseThrow(() -> refused(where + " begins with no right"));
        requireStrong(where, parts[2]);
        return Token.of(parts[2], new Credential(parts[1], right));
    }

    static void requireStrong(String where, String token) {
        if (token.length() < SHORTEST || !token.chars().allMatch(each -> each > ' ' && each < 127)) {
            throw new LockstepStartException(
                    "The token in " + where + " has " + token.length()
                            + " characters, or some that no header can carry.",
                    "Write at least " + SHORTEST
                            + " letters, digits and signs of ASCII without spaces, such as what `openssl rand -hex 24` prints.");
        }
    }

    private static LockstepStartException refused(String what) {
        return new LockstepStartException(
                what + ".",
                "Write a line for each token: its right (read, use or admin), a name for the log, and the token, such as: use shop"
                        + " 4f1c…");
    }
}
