package dev.lockstep.server.locks;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import java.util.List;

/** Keys of the kinds that the configuration declares, and of no others. */
final class DeclaredKeys extends KeyReader {
    private final Kinds kinds;

    DeclaredKeys(Kinds kinds) {
        this.kinds = kinds;
    }

    @Override
    boolean declared() {
        return true;
    }

    @Override
    List<KindDefinition> definitions() {
        return kinds.definitions();
    }

    @Override
    public LockKey parse(String text) {
        return kinds.parse(text);
    }

    @Override
    LockKey parseOnly(String text) {
        return kinds.parse(text);
    }
}
