package dev.lockstep.cli.locks;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Acquires, renews and releases over a running server, for scripts. */
public record ServerLocks(ServerSnapshotSource server) {
    private static final String PATH = "api/locks";

    /** Acquires locks, waiting at the server. */
    public LeaseAnswer acquire(Map<String, ?> request, Duration wait) {
        return server.ask(PATH, "POST", Optional.of(request), wait);
    }

    /** Extends a lease. */
    public LeaseAnswer renew(String lease, Duration term) {
        return server.ask(
                path(lease) + "/renew", "POST", Optional.of(Map.of("extendByMs", term.toMillis())), Duration.ZERO);
    }

    /** Releases a lease. */
    public LeaseAnswer release(String lease) {
        return server.ask(path(lease), "DELETE", Optional.empty(), Duration.ZERO);
    }

    private static String path(String lease) {
        return PATH + "/" + URLEncoder.encode(lease, StandardCharsets.UTF_8);
    }
}
