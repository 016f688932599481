package dev.lockstep.server.http;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/** How much of something limited is taken, by all clients and by each, so that no client takes everything. */
public final class ClientShare {
    private final long most;
    private final long mostOfOne;
    private final Map<String, Long> byClient = new HashMap<>();
    private long taken;

    /** At most this many, of which one client gets this many percent. */
    public ClientShare(long most, int percent) {
        this.most = most;
        mostOfOne = Math.max(1, most * percent / 100);
    }

    /** The address and the name of the token of the client that sent a request. */
    public static String client(ServerWebExchange exchange) {
        @Nullable InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
        String address = remote == null || remote.getAddress() == null
                ? "unknown"
                : remote.getAddress().getHostAddress();
        return Credential.of(exchange).name() + "@" + address;
    }

    /** Whether there was room for this many more; then they are taken. */
    public synchronized boolean take(String client, long count) {
        long own = byClient.getOrDefault(client, 0L);
        if (taken + count > most || own + count > mostOfOne) {
            return false;
        }
        taken += count;
        byClient.put(client, own + count);
        return true;
    }

    /** What was taken is free again. */
    public synchronized void giveBack(String client, long count) {
        taken -= count;
        byClient.computeIfPresent(client, (key, had) -> had <= count ? null : Long.valueOf(had - count));
    }

    /** How much is taken. */
    public synchronized long taken() {
        return taken;
    }
}
