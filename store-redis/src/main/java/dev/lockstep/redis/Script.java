package dev.lockstep.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** What the server does in one step. Each script is a file, which is put behind the files that it needs. */
enum Script {
    ACQUIRE("generation", "modes", "free", "locks", "acquire"),
    RELEASE("generation", "modes", "unawaited", "locks", "release"),
    WITHDRAW("generation", "modes", "locks", "withdraw"),
    RENEW("generation", "renew"),
    HEARTBEAT("generation", "heartbeat"),
    PING("generation", "ping"),
    CREATE("generation", "create"),
    REMOVE("generation", "remove"),
    FORGET("generation", "modes", "locks", "forget"),
    DECLARE("generation", "declare"),
    NUMBER("generation", "number"),
    SWEEP("generation", "modes", "locks", "sweep"),
    LOOK("generation", "modes", "locks", "look");

    private final String text;
    private final String digest;

    Script(String... files) {
        text = Arrays.stream(files).map(Script::read).collect(Collectors.joining("\n"));
        digest = sha1(text);
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The script " + file + ".lua is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name under which Redis remembers a script. */
    private static String sha1(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-1", e);
        }
    }

    String text() {
        return text;
    }

    String digest() {
        return digest;
    }
}
