package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** This server's name, and the addresses of the others on the same store. */
@Component
final class Node {
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,32}");

    private final String name;
    private final Map<String, URI> peers = new LinkedHashMap<>();

    Node(ServerProperties properties) {
        name = checked("lockstep.server.node", properties.node());
        properties.peers().forEach((peer, address) -> {
            checked("A name under lockstep.server.peers", peer);
            if (!peer.equals(name)) { // one list for all servers names this one, too
                peers.put(peer, address(peer, address));
            }
        });
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

    String name() {
        return name;
    }

    Optional<URI> peer(String node) {
        return Optional.ofNullable(peers.get(node));
    }

    LeaseId idOf(UUID lease) {
        return new LeaseId(name, lease);
    }
}
