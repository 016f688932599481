package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.SqlVariant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;

/** The tables of MySQL and MariaDB. */
final class InnodbTables extends RowTables {
    private static final String UPDATE_ROWS = """
            UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
                    sku varchar(64) CHARACTER SET utf8mb4 PATH '$[0]', location varchar(64) CHARACTER SET utf8mb4 PATH '$[1]',
                    physical bigint PATH '$[2]', allocated bigint PATH '$[3]', version bigint PATH '$[4]',
                    physical_before bigint PATH '$[5]', allocated_before bigint PATH '$[6]', version_before bigint PATH '$[7]'
                )) wanted
                STRAIGHT_JOIN inventory_location stock
                    ON stock.sku = wanted.sku AND stock.location = wanted.location AND stock.version = wanted.version_before
                    AND stock.physical_qty = wanted.physical_before AND stock.allocated_qty = wanted.allocated_before
            SET stock.physical_qty = wanted.physical, stock.allocated_qty = wanted.allocated, stock.version = wanted.version,
                stock.updated_at = ?, stock.unpublished = 1
            """;

    private final boolean jsonTable;

    /** On a server that has JSON_TABLE, or has not. */
    InnodbTables(boolean jsonTable) {
        super(SqlVariant.INNODB);
        this.jsonTable = jsonTable;
    }

    @Override
    String unpublishedHint() {
        return "FORCE INDEX (inventory_location_unpublished)";
    }

    /** MariaDB has SKIP LOCKED and JSON_TABLE since the same version. */
    @Override
    public boolean canSkip() {
        return jsonTable;
    }

    @Override
    void updateLockedRows(Connection connection, List<StockRow> rows, LocalDateTime now)
            throws SQLException, ConflictException {
        if (!jsonTable) {
            super.updateLockedRows(connection, rows, now);
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(UPDATE_ROWS)) {
            statement.setString(1, json(rows));
            statement.setObject(2, now);
            requireAll(statement.executeUpdate(), rows);
        }
    }

    private static String json(List<StockRow> rows) {
        StringBuilder json = new StringBuilder(64 * rows.size());
        for (StockRow row : rows) {
            json.append(json.isEmpty() ? "[[" : ",[");
            text(json, row.key().sku());
            json.append(',');
            text(json, row.key().location());
            Stock now = row.now();
            Stock before = row.before();
            for (long number : new long[] {
                now.physical(), now.allocated(), now.version(), before.physical(), before.allocated(), before.version()
            }) {
                json.append(',').append(number);
            }
            json.append(']');
        }
        return json.append(']').toString();
    }

    private static void text(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
