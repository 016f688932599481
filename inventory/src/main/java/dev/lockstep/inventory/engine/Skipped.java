package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.books.StockRow;
import dev.lockstep.inventory.books.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The commands of a transaction that skips locked rows for which a row was skipped, and that row. */
record Skipped(Map<PendingCommand, StockKey> rows) {
    static final Skipped NONE = new Skipped(Map.of());

    /** A row that was not read may also be missing; a query without a lock says which. */
    static Skipped of(
            Tables tables,
            Connection connection,
            List<PendingCommand> works,
            List<StockKey> keys,
            Map<StockKey, StockRow> read)
            throws SQLException {
        List<StockKey> absent =
                keys.stream().filter(key -> !read.containsKey(key)).toList();
        Set<StockKey> locked = tables.read(connection, absent, ReadMode.PLAIN).keySet();
        Map<PendingCommand, StockKey> skipped = new HashMap<>();
        for (PendingCommand work : works) {
            work.lines().stream()
                    .map(StockLine::key)
                    .filter(locked::contains)
                    .findFirst()
                    .ifPresent(key -> skipped.put(work, key));
        }
        return new Skipped(skipped);
    }

    boolean has(PendingCommand work) {
        return rows.containsKey(work);
    }
}
