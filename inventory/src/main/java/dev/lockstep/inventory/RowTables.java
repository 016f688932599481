package dev.lockstep.inventory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.List;

/** The tables of MySQL, MariaDB and H2: many rows go in as one statement with many rows of values. */
final class RowTables extends Tables {
    private static final int ROWS_AT_ONCE = 256;
    private final String clock;
    private final String hint;

    /** With the server's clock as SQL, in UTC, and what makes it use the index of request ids also while it has no statistics. */
    RowTables(String clock, String hint) {
        this.clock = clock;
        this.hint = hint;
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
    String clock() {
        return clock;
    }

    @Override
    Journal journal(Connection connection, List<Work> works) throws SQLException {
        List<String> ids = works.stream().map(Work::requestId).toList();
        String sql = ids.isEmpty()
                ? Journal.clock(clock)
                : Journal.query(clock, hint, "request_id IN (" + Placeholders.upTo(ids.size()) + ")");
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

    private static void insertSomeEntries(Connection connection, List<Entry> entries, LocalDateTime now)
            throws SQLException {
        String sql = "INSERT INTO inventory_transaction (" + Journal.COLUMNS + ", note, created_at) VALUES "
                + values(14, entries.size());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = 1;
            for (Entry entry : entries) {
                Change change = entry.change();
                statement.setString(at++, entry.work().requestId());
                statement.setString(at++, entry.work().hash());
                statement.setString(at++, entry.type().name());
                statement.setString(at++, change.key().sku());
                statement.setString(at++, change.key().location());
                statement.setLong(at++, change.after().version());
                statement.setLong(at++, change.physical());
                statement.setLong(at++, change.allocated());
                statement.setLong(at++, change.after().physical());
                statement.setLong(at++, change.after().allocated());
                statement.setString(at++, entry.reservationId());
                statement.setInt(at++, entry.line());
                statement.setString(at++, entry.note());
                statement.setObject(at++, now);
            }
            statement.executeUpdate();
        }
    }

    @Override
    void insertHolds(Connection connection, Collection<Hold> holds, LocalDateTime now) throws SQLException {
        List<HoldLine> lines = HoldLine.of(holds);
        for (int i = 0; i < lines.size(); i += ROWS_AT_ONCE) {
            insertSomeHolds(connection, lines.subList(i, Math.min(lines.size(), i + ROWS_AT_ONCE)), now);
        }
    }

    private static void insertSomeHolds(Connection connection, List<HoldLine> lines, LocalDateTime now)
            throws SQLException {
        String sql = "INSERT INTO inventory_reservation"
                + " (reservation_id, sku, location, quantity, state, expires_at, created_at) VALUES "
                + values(7, lines.size());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = 1;
            for (HoldLine line : lines) {
                statement.setString(at++, line.hold().id());
                statement.setString(at++, line.line().key().sku());
                statement.setString(at++, line.line().key().location());
                statement.setLong(at++, line.line().quantity());
                statement.setString(at++, line.hold().state().name());
                statement.setObject(at++, line.hold().expiresAt());
                statement.setObject(at++, now);
            }
            statement.executeUpdate();
        }
    }

    private static String values(int columns, int rows) {
        String row = "(" + "?, ".repeat(columns - 1) + "?)";
        return (row + ", ").repeat(rows - 1) + row;
    }
}
