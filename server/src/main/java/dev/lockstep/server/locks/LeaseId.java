package dev.lockstep.server.locks;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients call a lease by: {@code <node>.<uuid>}, so that any server knows which one keeps it. */
record LeaseId(String node, UUID lease) {
    private static final Pattern FORM =
            Pattern.compile("([a-z0-9-]{1,32})\\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})");

    /** Reads one; empty for what no server gave out. */
    static Optional<LeaseId> read(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches()
                ? Optional.of(new LeaseId(parts.group(1), UUID.fromString(parts.group(2))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return node + "." + lease;
    }
}
