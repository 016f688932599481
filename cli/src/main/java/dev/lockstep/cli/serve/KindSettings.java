package dev.lockstep.cli.serve;

import dev.lockstep.core.LockKind;
import java.util.LinkedHashMap;
import java.util.Map;

/** Kinds of the command line as the server's properties. */
final class KindSettings {
    private KindSettings() {}

    static Map<String, Object> of(LockKind... kinds) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (LockKind kind : kinds) {
            String name = "lockstep.kinds[" + kind.prefix() + "].";
            properties.put(name + "rank", kind.rank());
            kind.parent().ifPresent(parent -> properties.put(name + "parent", parent.prefix()));
            properties.put(name + "leaf", kind.leaf());
        }
        return properties;
    }
}
