package dev.lockstep.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A token that opens this server, kept as its hash only. */
final class Token {
    private final byte[] hash;
    private final Credential credential;

    private Token(byte[] hash, Credential credential) {
        this.hash = hash;
        this.credential = credential;
    }

    static Token of(String text, Credential credential) {
        return new Token(hash(text), credential);
    }

    static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no SHA-256", e);
        }
    }

    Credential credential() {
        return credential;
    }

    /** Takes as long for a hash that is nearly right as for any other. */
    boolean matches(byte[] shown) {
        return MessageDigest.isEqual(hash, shown);
    }

    @Override
    public String toString() {
        return "the token of " + credential;
    }
}
