package dev.lockstep.cli.serve;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server as the command line describes it.
 *
 * @param peers the addresses of other servers on the same store, by their names
 * @param provision whether missing tables and rows are made
 */
public record Serving(
        Listening listening,
        Storing storing,
        List<LockKind> kinds,
        @Nullable String node,
        Map<String, String> peers,
        boolean provision,
        boolean demo,
        boolean verbose) {
    /** The properties of the server. What can be found wrong without starting it is found here. */
    public Map<String, Object> properties() {
        listening.checked();
        requireKinds();
        Map<String, Object> properties = new LinkedHashMap<>(listening.properties());
        properties.putAll(storing.properties());
        properties.putAll(KindSettings.of(kinds.toArray(LockKind[]::new)));
        if (node != null) {
            properties.put("lockstep.server.node", node);
        }
        peers.forEach((name, url) -> properties.put("lockstep.server.peers[" + name + "]", url));
        properties.put("lockstep.server.demo", demo);
        if (storing.needsRows()) {
            properties.put("lockstep.provision-if-missing", provision);
        }
        properties.putAll(LogSettings.of(verbose, demo));
        return properties;
    }

    private void requireKinds() {
        if (demo && !kinds.isEmpty()) {
            throw new InvalidRequestException(
                    "--demo locks kinds of its own, and with --kind there are no others. Leave out one of the two.");
        }
        if (storing.needsKinds() && kinds.isEmpty() && !demo) {
            throw new InvalidRequestException("On a database the server must know beforehand what can be locked."
                    + " Write --kind for each, as for 'lockstep provision', such as --kind user:0 --kind account:1:user"
                    + (storing.needsRows() ? "; with --provision rows that are missing are made at the start." : "."));
        }
    }
}
