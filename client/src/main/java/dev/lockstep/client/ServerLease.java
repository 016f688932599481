package dev.lockstep.client;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import java.util.List;

/**
 * A lease of the server.
 *
 * @param id the secret that renews and releases it
 * @param name what the server shows to others
 */
record ServerLease(String id, String name, FencingToken token) {
    static ServerLease of(Reply reply) {
        try {
            String[] token = reply.text("token").split("\\.", -1);
            if (token.length == 2 && !reply.text("leaseId").isEmpty()) {
                return new ServerLease(
                        reply.text("leaseId"),
                        reply.text("leaseName"),
                        new FencingToken(Long.parseLong(token[0]), Long.parseLong(token[1])));
            }
        } catch (NumberFormatException e) {
            // The same as no token.
        }
        throw new LockException(
                ErrorCode.STORE_FAILED,
                "What responds at " + reply.server() + " sends a lease without an id or a token. Check host and port.",
                List.of(),
                null);
    }

    /** The node of the server that granted it: what its name begins with. */
    String node() {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /** Without the id, which no log may have. */
    @Override
    public String toString() {
        return name;
    }
}
