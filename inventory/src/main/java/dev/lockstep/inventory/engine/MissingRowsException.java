package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.StockKey;
import java.util.List;

/** There are no rows yet for what is to be received; nothing was done. */
final class MissingRowsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<StockKey> keys;

    MissingRowsException(List<StockKey> keys) {
        super("There are no rows of " + keys, null, false, false);
        this.keys = keys;
    }

    List<StockKey> keys() {
        return keys;
    }
}
