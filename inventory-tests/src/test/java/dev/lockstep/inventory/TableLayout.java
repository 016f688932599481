package dev.lockstep.inventory;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** The columns and indexes of the inventory's tables. */
final class TableLayout {
    private TableLayout() {}

    static List<String> of(DataSource database) throws SQLException {
        List<String> layout = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            for (String table : List.of(
                    "inventory_location",
                    "inventory_transaction",
                    "inventory_reservation",
                    "inventory_change",
                    "inventory_feed")) {
                add(layout, connection, table);
            }
        }
        return layout;
    }

    private static void add(List<String> layout, Connection connection, String table) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String name = about.storesUpperCaseIdentifiers() ? table.toUpperCase(Locale.ROOT) : table;
        String catalog = connection.getCatalog();
        try (ResultSet columns = about.getColumns(catalog, connection.getSchema(), name, "%")) {
            while (columns.next()) {
                layout.add(String.join(
                        " ",
                        table,
                        columns.getString("COLUMN_NAME"),
                        columns.getString("TYPE_NAME"),
                        columns.getString("COLUMN_SIZE"),
                        columns.getString("IS_NULLABLE")));
            }
        }
        try (ResultSet indexes = about.getIndexInfo(catalog, connection.getSchema(), name, false, true)) {
            while (indexes.next()) {
                layout.add(String.join(" ", table, indexes.getString("INDEX_NAME"), indexes.getString("COLUMN_NAME")));
            }
        }
    }
}
