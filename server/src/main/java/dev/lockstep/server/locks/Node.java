package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** This server's name, and the addresses of the others on the same store. */
@Component
public final class Node {
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,32}");

    private static final int RANDOM_BYTES = 5;

    private final String name;
    private final Map<String, URI> peers = new LinkedHashMap<>();

    Node(ServerProperties properties) {
        name = name(properties);
        properties.peers().forEach((peer, address) -> {
            checked("A name under lockstep.server.peers", peer);
            if (!peer.equals(name)) { // one list for all servers names this one, too
                peers.put(peer, address(peer, address));
            }
        });
    }

    /** Two servers of one name would each take the other's leases for its own, which it doesn't keep. */
    private static String name(ServerProperties properties) {
        if (isConfigured(properties)) {
            return checked("lockstep.server.node", Objects.requireNonNull(properties.node()));
        }
        if (!properties.peers().isEmpty()) {
            throw new LockstepStartException(
                    "lockstep.server.peers names other servers, and this one has no name by which they know it.",
                    "Write lockstep.server.node, with a name that no other server on the store has.");
        }
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return "s-" + HexFormat.of().formatHex(random);
    }

    /** Whether the name was chosen, so that another server may have it, too. */
    static boolean isConfigured(ServerProperties properties) {
        @Nullable String configured = properties.node();
        return configured != null && !configured.isEmpty();
    }

    private static String checked(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new LockstepStartException(
                    what + " is '" + name + "'.", "Use 1 to 32 lower-case letters, digits and '-'.");
        }
        return name;
    }

    private static URI address(String peer, String text) {
        @Nullable URI uri = null;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            // said below, without the text: it may hold a password
        }
        if (uri == null || uri.getHost() == null || uri.getUserInfo() != null || !isPlain(uri)) {
            throw new LockstepStartException(
                    "lockstep.server.peers." + peer + " is not the address of a server.",
                    "Write http:// or https://, a host and a port, and nothing else, such as http://10.0.0.2:7070.");
        }
        return uri;
    }

    private static boolean isPlain(URI uri) {
        String path = uri.getRawPath();
        return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                && (path == null || path.isEmpty() || path.equals("/"))
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /** Whether a peer on another machine is called without TLS. */
    boolean sendsTokensInClearText() {
        return peers.values().stream()
                .anyMatch(each ->
                        "http".equals(each.getScheme()) && !each.getHost().matches("localhost|127\\..*|\\[::1]"));
    }

    Optional<URI> peer(String node) {
        return Optional.ofNullable(peers.get(node));
    }

    /** The id for the owner of a lease that this server keeps. */
    LeaseId idOf(DeskLease held) {
        return new LeaseId(name, held.lease().id(), held.secret());
    }

    /** What everybody may see of a lease that this server keeps. */
    String nameOf(UUID lease) {
        return new LeaseId(name, lease, null).name();
    }
}
