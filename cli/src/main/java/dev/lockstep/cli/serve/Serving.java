package dev.lockstep.cli.serve;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        String node,
        Map<String, String> peers,
        boolean provision,
        boolean demo,
        boolean verbose) {
    /** The properties of the server. What can be found wrong without starting it is found here. */
    public Map<String, Object> properties() {
        listening.checked();
        Map<String, Object> properties = new LinkedHashMap<>(listening.properties());
        properties.putAll(storing.properties());
        requireKinds();
        properties.putAll(KindSettings.of(kinds.toArray(LockKind[]::new)));
        properties.put("lockstep.server.node", node);
        peers.forEach((name, url) -> properties.put("lockstep.server.peers[" + name + "]", url));
        properties.put("lockstep.server.demo", demo);
        if (storing.needsRows()) {
            properties.put("lockstep.provision-if-missing", provision);
        }
        properties.putAll(LogSettings.of(verbose, demo));
        return properties;
    }

    private void requireKinds() {
        if (storing.needsRows() && kinds.isEmpty() && !demo) {
            throw new InvalidRequestException(
                    "Locks on MySQL and MariaDB are rows that are made beforehand, so the server must know their kinds."
                            + " Write --kind for each, as for 'lockstep provision', such as --kind user:0 --kind account:1:user;"
                            + " with --provision rows that are missing are made at the start.");
        }
    }
}
