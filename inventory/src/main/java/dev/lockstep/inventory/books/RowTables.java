package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.sql.Placeholders;
import dev.lockstep.inventory.sql.RowsOfValues;
import dev.lockstep.inventory.sql.SqlVariant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.List;

/** The tables of MySQL, MariaDB and H2: many rows go in as one statement with many rows of values. */
abstract class RowTables extends Tables {
    private static final int ROWS_AT_ONCE = 256;
    private final SqlVariant variant;

    RowTables(SqlVariant variant) {
        this.variant = variant;
    }

    private RowsOfValues values() {
        return new RowsOfValues(variant.beforeHex(), variant.afterHex());
    }

    @Override
    String opening() {
        return "";
    }

    @Override
    ResultSet query(PreparedStatement statement) throws SQLException {
        return statement.executeQuery();
    }

    @Override
    String rowClock() {
        return variant.rowClock();
    }

    @Override
    String clock() {
        return variant.clock();
    }

    @Override
    public Journal journal(Connection connection, List<String> ids) throws SQLException {
        String sql = ids.isEmpty()
                ? Journal.clock(variant.lateClock())
                : Journal.query(
                        variant.lateClock(),
                        variant.ledgerHint(),
                        "request_id IN (" + Placeholders.upTo(ids.size()) + ")");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (!ids.isEmpty()) {
                Placeholders.fill(statement, 1, ids);
            }
            try (ResultSet result = statement.executeQuery()) {
                return Journal.of(result);
            }
        }
    }

    @Override
    void insertEntries(Connection connection, List<Entry> entries, LocalDateTime now) throws SQLException {
        for (int i = 0; i < entries.size(); i += ROWS_AT_ONCE) {
            insertSomeEntries(connection, entries.subList(i, Math.min(entries.size(), i + ROWS_AT_ONCE)), now);
        }
    }

    private void insertSomeEntries(Connection connection, List<Entry> entries, LocalDateTime now) throws SQLException {
        RowsOfValues rows = values();
        for (Entry entry : entries) {
            Change change = entry.change();
            rows.row()
                    .text(entry.work().requestId())
                    .text(entry.work().hash())
                    .text(entry.type().name())
                    .text(change.key().sku())
                    .text(change.key().location())
                    .number(change.after().version())
                    .number(change.physical())
                    .number(change.allocated())
                    .number(change.after().physical())
                    .number(change.after().allocated())
                    .text(entry.reservationId())
                    .number(entry.line())
                    .text(entry.note())
                    .time(now);
        }
        rows.insertInto(connection, "inventory_transaction (" + Journal.COLUMNS + ", note, created_at)");
    }

    @Override
    void insertHolds(Connection connection, Collection<Hold> holds, LocalDateTime now) throws SQLException {
        List<HoldLine> lines = HoldLine.of(holds);
        for (int i = 0; i < lines.size(); i += ROWS_AT_ONCE) {
            insertSomeHolds(connection, lines.subList(i, Math.min(lines.size(), i + ROWS_AT_ONCE)), now);
        }
    }

    private void insertSomeHolds(Connection connection, List<HoldLine> lines, LocalDateTime now) throws SQLException {
        RowsOfValues rows = values();
        for (HoldLine line : lines) {
            rows.row()
                    .text(line.hold().id())
                    .text(line.line().key().sku())
                    .text(line.line().key().location())
                    .number(line.line().quantity())
                    .text(line.hold().state().name())
                    .time(line.hold().expiresAt())
                    .time(now);
        }
        rows.insertInto(
                connection,
                "inventory_reservation (reservation_id, sku, location, quantity, state, expires_at, created_at)");
    }
}
