package dev.lockstep.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;

/** A token that opens this server, kept as its hash only. */
final class Token {
    private static final String ATTRIBUTE = Token.class.getName();

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

    /** Whether it is the same token, with the same name and right. */
    boolean isSame(Token other) {
        return matches(other.hash) && credential.equals(other.credential);
    }

    /** Notes that it opened the server for a request. */
    void rememberIn(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
        credential.rememberIn(exchange);
    }

    /** The one of a request; none where the server has no tokens. */
    static Optional<Token> of(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(ATTRIBUTE));
    }

    @Override
    public String toString() {
        return "the token of " + credential;
    }
}
