package dev.lockstep.server.http;

import org.springframework.web.server.ServerWebExchange;

/**
 * Who sent a request, by the token that it has.
 *
 * @param name of the token, for logs and events
 */
public record Credential(String name, Right right) {
    /** Of requests to a server without tokens, which listens on loopback only. */
    static final Credential LOCAL = new Credential("local", Right.ADMIN);

    private static final String ATTRIBUTE = Credential.class.getName();

    /** The one of a request that was let through. */
    public static Credential of(ServerWebExchange exchange) {
        return exchange.getAttributeOrDefault(ATTRIBUTE, LOCAL);
    }

    void rememberIn(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
    }
}
