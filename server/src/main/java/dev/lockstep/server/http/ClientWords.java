package dev.lockstep.server.http;

import java.util.Map;

/** Advice of the library, which names calls of Java, in words for those who call over HTTP. */
public final class ClientWords {
    private static final Map<String, String> WORDS = Map.of(
            "wait longer with within(...)",
            "wait longer with waitMs",
            "create a new namespace with createNamespace() to spare it the wait",
            "a server that is started with --create-namespace spares a new namespace the wait",
            "or raise Limits.idLength",
            "or ask the server's operator");

    private ClientWords() {}

    /** The same message for clients. */
    public static String of(String message) {
        String text = message;
        for (Map.Entry<String, String> each : WORDS.entrySet()) {
            text = text.replace(each.getKey(), each.getValue());
        }
        return text;
    }
}
