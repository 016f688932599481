package dev.lockstep.server.locks.keys;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import java.util.List;

/** Keys of the kinds that the configuration declares, and of no others. */
public final class DeclaredKeys extends KeyReader {
    private final Kinds kinds;

    public DeclaredKeys(Kinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public boolean declared() {
        return true;
    }

    @Override
    public List<KindDefinition> definitions() {
        return kinds.definitions();
    }

    @Override
    public LockKey parse(String text) {
        return kinds.parse(text);
    }

    @Override
    public LockKey parseOnly(String text) {
        return kinds.parse(text);
    }
}
