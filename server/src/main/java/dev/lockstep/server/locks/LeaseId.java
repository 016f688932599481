package dev.lockstep.server.locks;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of a lease, {@code <node>.<uuid>.<secret>}, by which its owner renews and releases it. Everybody else sees its name, which is the id without
 * the secret. Any server finds the one that keeps the lease by the node.
 *
 * @param secret Null in a name.
 */
record LeaseId(String node, UUID lease, @Nullable LeaseSecret secret) {
    private static final Pattern FORM = Pattern.compile("([a-z0-9-]{1,32})"
            + "\\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\\.([A-Za-z0-9_-]{21}[AQgw]))?");

    /** Reads an id or a name; empty for what no server returned. */
    static Optional<LeaseId> read(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches()
                ? Optional.of(new LeaseId(parts.group(1), UUID.fromString(parts.group(2)), secret(parts.group(3))))
                : Optional.empty();
    }

    private static @Nullable LeaseSecret secret(@Nullable String text) {
        return text == null ? null : LeaseSecret.read(text);
    }

    /** The id with its secret, for the owner only. */
    String text() {
        return secret == null ? name() : name() + "." + secret.text();
    }

    /** What everybody may see. */
    String name() {
        return node + "." + lease;
    }

    /** The name, since no log may have the secret. */
    @Override
    public String toString() {
        return name();
    }
}
