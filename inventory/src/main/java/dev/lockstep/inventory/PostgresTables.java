package dev.lockstep.inventory;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of PostgreSQL: many rows go in as one statement with arrays, the same for any number of rows. */
final class PostgresTables extends Tables {
    private static final String CLOCK = "clock_timestamp() AT TIME ZONE 'UTC'";
    private static final String JOURNAL = Journal.query(CLOCK, "", "request_id = ANY (?)");

    private static final String INSERT_ENTRIES = "INSERT INTO inventory_transaction (" + Journal.COLUMNS
            + ", note, created_at) SELECT *, ?::timestamp FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[],"
            + " ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::integer[], ?::text[])";

    private static final String INSERT_HOLDS = """
            INSERT INTO inventory_reservation (created_at, reservation_id, sku, location, quantity, state, expires_at)
            SELECT ?::timestamp, * FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::timestamp[])
            """;

    /**
     * A plan that was made when the tables were empty is kept while they grow, and reads them from end to end each time. The driver
     * sends this together with the query.
     */
    @Override
    String opening() {
        return "SET LOCAL enable_seqscan = off; ";
    }

    @Override
    ResultSet query(PreparedStatement statement) throws SQLException {
        statement.execute();
        statement.getMoreResults();
        return statement.getResultSet();
    }

    @Override
    String clock() {
        return CLOCK;
    }

    @Override
    Journal journal(Connection connection, List<Work> works) throws SQLException {
        String sql = works.isEmpty() ? Journal.clock(CLOCK) : JOURNAL;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (!works.isEmpty()) {
                set(statement, 1, "text", works, Work::requestId);
            }
            try (ResultSet result = statement.executeQuery()) {
                return Journal.of(result);
            }
        }
    }

    @Override
    void insertEntries(Connection connection, List<Entry> entries, LocalDateTime now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT_ENTRIES)) {
            statement.setObject(1, now);
            set(statement, 2, "text", entries, entry -> entry.work().requestId());
            set(statement, 3, "text", entries, entry -> entry.work().hash());
            set(statement, 4, "text", entries, entry -> entry.type().name());
            set(statement, 5, "text", entries, entry -> entry.change().key().sku());
            set(statement, 6, "text", entries, entry -> entry.change().key().location());
            set(statement, 7, "bigint", entries, entry -> entry.change().after().version());
            set(statement, 8, "bigint", entries, entry -> entry.change().physical());
            set(statement, 9, "bigint", entries, entry -> entry.change().allocated());
            set(
                    statement,
                    10,
                    "bigint",
                    entries,
                    entry -> entry.change().after().physical());
            set(
                    statement,
                    11,
                    "bigint",
                    entries,
                    entry -> entry.change().after().allocated());
            set(statement, 12, "text", entries, Entry::reservationId);
            set(statement, 13, "integer", entries, Entry::line);
            set(statement, 14, "text", entries, Entry::note);
            statement.executeUpdate();
        }
    }

    @Override
    void insertHolds(Connection connection, Collection<Hold> holds, LocalDateTime now) throws SQLException {
        List<HoldLine> lines = HoldLine.of(holds);
        try (PreparedStatement statement = connection.prepareStatement(INSERT_HOLDS)) {
            statement.setObject(1, now);
            set(statement, 2, "text", lines, line -> line.hold().id());
            set(statement, 3, "text", lines, line -> line.line().key().sku());
            set(statement, 4, "text", lines, line -> line.line().key().location());
            set(statement, 5, "bigint", lines, line -> line.line().quantity());
            set(statement, 6, "text", lines, line -> line.hold().state().name());
            set(statement, 7, "timestamp", lines, line -> text(line.hold().expiresAt()));
            statement.executeUpdate();
        }
    }

    private static @Nullable String text(@Nullable LocalDateTime time) {
        return time == null ? null : time.toString();
    }

    private static <T> void set(
            PreparedStatement statement, int at, String type, List<T> from, Function<T, @Nullable Object> value)
            throws SQLException {
        Array array = statement
                .getConnection()
                .createArrayOf(type, from.stream().map(value).toArray());
        statement.setArray(at, array);
    }
}
