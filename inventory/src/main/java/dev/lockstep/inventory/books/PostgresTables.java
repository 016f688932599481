package dev.lockstep.inventory.books;

import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.sql.ConflictException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of PostgreSQL: many rows go in as one statement with arrays, the same for any number of rows. */
final class PostgresTables extends Tables {
    private static final String CLOCK = "clock_timestamp() AT TIME ZONE 'UTC'";
    private static final String JOURNAL = Journal.query(CLOCK, "", "request_id = ANY (?)");

    private static final String ENTRIES = "INSERT INTO inventory_transaction (" + Journal.COLUMNS
            + ", note, created_at) SELECT *, ?::timestamp FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[],"
            + " ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::integer[], ?::text[])";
    private static final int ENTRY_PARAMETERS = 14;

    private static final String HOLDS = """
            INSERT INTO inventory_reservation (created_at, reservation_id, sku, location, quantity, state, expires_at)
            SELECT ?::timestamp, * FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::timestamp[])
            """;

    private static final String END_HOLDS = """
            UPDATE inventory_reservation SET state = ?, ended_at = ?
            WHERE state = 'HELD' AND reservation_id = ANY (?)
            """;
    private static final String ONE_ROW = "WITH changed AS (" + UPDATE_ROW + " RETURNING sku), noted AS (" + ENTRIES
            + " WHERE EXISTS (SELECT FROM changed)), held AS (" + HOLDS
            + " WHERE EXISTS (SELECT FROM changed)) SELECT count(*) FROM changed";

    private static final String UPDATE_ROWS = """
            UPDATE inventory_location AS stock
            SET physical_qty = wanted.physical, allocated_qty = wanted.allocated, version = wanted.version,
                updated_at = ?::timestamp, unpublished = 1
            FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
                AS wanted (sku, location, physical, allocated, version, physical_before, allocated_before, version_before)
            WHERE stock.sku = wanted.sku AND stock.location = wanted.location AND stock.version = wanted.version_before
                AND stock.physical_qty = wanted.physical_before AND stock.allocated_qty = wanted.allocated_before
            """;

    @Override
    void updateLockedRows(Connection connection, List<StockRow> rows, LocalDateTime now)
            throws SQLException, ConflictException {
        try (PreparedStatement statement = connection.prepareStatement(UPDATE_ROWS)) {
            int at = 1;
            statement.setObject(at++, now);
            set(statement, at++, "text", rows, row -> row.key().sku());
            set(statement, at++, "text", rows, row -> row.key().location());
            set(statement, at++, "bigint", rows, row -> row.now().physical());
            set(statement, at++, "bigint", rows, row -> row.now().allocated());
            set(statement, at++, "bigint", rows, row -> row.now().version());
            set(statement, at++, "bigint", rows, row -> row.before().physical());
            set(statement, at++, "bigint", rows, row -> row.before().allocated());
            set(statement, at, "bigint", rows, row -> row.before().version());
            requireAll(statement.executeUpdate(), rows);
        }
    }

    /** The usual case, reservations of one stock, takes one statement. */
    @Override
    public void write(Connection connection, Book book, ReadMode mode) throws SQLException, ConflictException {
        List<StockRow> changed =
                book.rows().stream().filter(StockRow::isChanged).toList();
        if (changed.size() != 1) {
            super.write(connection, book, mode);
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(ONE_ROW)) {
            limit(statement, mode.secondsToWrite());
            int at = setRow(statement, changed.get(0), book.now());
            setEntries(statement, at, book.entries(), book.now());
            setHolds(statement, at + ENTRY_PARAMETERS, HoldLine.of(book.newHolds()), book.now());
            try (ResultSet count = statement.executeQuery()) {
                count.next();
                if (count.getInt(1) != 1) {
                    throw conflict(changed.get(0));
                }
            }
        }
        updateSafety(connection, book);
        endHolds(connection, book);
    }

    /**
     * A plan that was made when the tables were empty is kept while they grow, and reads them from end to end each time. The driver
     * sends this together with the query.
     */
    @Override
    String opening() {
        return "SET LOCAL enable_seqscan = off; ";
    }

    @Override
    public void leave(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL enable_seqscan TO DEFAULT");
        }
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
    public Journal journal(Connection connection, List<String> ids) throws SQLException {
        String sql = ids.isEmpty() ? Journal.clock(CLOCK) : JOURNAL;
        try (PreparedStatement statement = connection.prepareStatement(opening() + sql)) {
            if (!ids.isEmpty()) {
                set(statement, 1, "text", ids, id -> id);
            }
            try (ResultSet result = query(statement)) {
                return Journal.of(result);
            }
        }
    }

    @Override
    void insertEntries(Connection connection, List<Entry> entries, LocalDateTime now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ENTRIES)) {
            setEntries(statement, 1, entries, now);
            statement.executeUpdate();
        }
    }

    private static void setEntries(PreparedStatement statement, int from, List<Entry> entries, LocalDateTime now)
            throws SQLException {
        int at = from;
        statement.setObject(at++, now);
        set(statement, at++, "text", entries, entry -> entry.work().requestId());
        set(statement, at++, "text", entries, entry -> entry.work().hash());
        set(statement, at++, "text", entries, entry -> entry.type().name());
        set(statement, at++, "text", entries, entry -> entry.change().key().sku());
        set(statement, at++, "text", entries, entry -> entry.change().key().location());
        set(statement, at++, "bigint", entries, entry -> entry.change().after().version());
        set(statement, at++, "bigint", entries, entry -> entry.change().physical());
        set(statement, at++, "bigint", entries, entry -> entry.change().allocated());
        set(statement, at++, "bigint", entries, entry -> entry.change().after().physical());
        set(statement, at++, "bigint", entries, entry -> entry.change().after().allocated());
        set(statement, at++, "text", entries, Entry::reservationId);
        set(statement, at++, "integer", entries, Entry::line);
        set(statement, at, "text", entries, Entry::note);
    }

    @Override
    void insertHolds(Connection connection, Collection<Hold> holds, LocalDateTime now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HOLDS)) {
            setHolds(statement, 1, HoldLine.of(holds), now);
            statement.executeUpdate();
        }
    }

    @Override
    int endHolds(Connection connection, HoldState end, List<String> ids, LocalDateTime now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(END_HOLDS)) {
            statement.setString(1, end.name());
            statement.setObject(2, now);
            set(statement, 3, "text", ids, id -> id);
            return statement.executeUpdate();
        }
    }

    private static void setHolds(PreparedStatement statement, int from, List<HoldLine> lines, LocalDateTime now)
            throws SQLException {
        int at = from;
        statement.setObject(at++, now);
        set(statement, at++, "text", lines, line -> line.hold().id());
        set(statement, at++, "text", lines, line -> line.line().key().sku());
        set(statement, at++, "text", lines, line -> line.line().key().location());
        set(statement, at++, "bigint", lines, line -> line.line().quantity());
        set(statement, at++, "text", lines, line -> line.hold().state().name());
        set(statement, at, "timestamp", lines, line -> text(line.hold().expiresAt()));
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
