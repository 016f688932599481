package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.Discrepancy.StockFault.Kind;
import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.Placeholders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads and writes the tables, in the SQL that all databases understand. */
public abstract class Tables {
    private static final String COLUMNS = "SELECT sku, location, physical_qty, allocated_qty, version";
    private static final String FROM = " FROM inventory_location WHERE ";
    private static final int ROWS_AT_ONCE = 256;

    static final String UPDATE_ROW = """
            UPDATE inventory_location
            SET physical_qty = ?, allocated_qty = ?, version = ?, updated_at = ?, unpublished = 1
            WHERE sku = ? AND location = ? AND version = ? AND physical_qty = ? AND allocated_qty = ?
            """;

    /** What some requests did before, and what the server's clock says now. After a lock, it sees all that came before the lock. */
    public abstract Journal journal(Connection connection, List<String> requestIds) throws SQLException;

    /** The database's clock as SQL, in UTC. */
    abstract String clock();

    /** The database's clock as SQL in a query of rows, if possible one that is read after the row's lock was acquired. */
    String rowClock() {
        return clock();
    }

    /** What goes before the first query of a transaction. */
    abstract String opening();

    /** Undoes what {@link #opening} has set, in a transaction that continues. */
    public void leave(Connection connection) throws SQLException {}

    /** What makes a query of the location use the index of those that have changed, also while there are no statistics. */
    String unpublishedHint() {
        return "";
    }

    /** Whether a query can leave out rows that others have locked. */
    public boolean canSkip() {
        return true;
    }

    /** Runs the first query of a transaction. */
    abstract ResultSet query(PreparedStatement statement) throws SQLException;

    abstract void insertEntries(Connection connection, List<Entry> entries, LocalDateTime now) throws SQLException;

    abstract void insertHolds(Connection connection, Collection<Hold> holds, LocalDateTime now) throws SQLException;

    /** Reads the rest of what is needed to decide on some commands. */
    public Book open(
            Connection connection, List<PendingCommand> works, Map<StockKey, StockRow> rows, IdempotencyCheck check)
            throws SQLException {
        List<String> reservations = works.stream()
                .flatMap(work -> reservation(work, check).stream())
                .distinct()
                .toList();
        Map<String, Hold> holds = holds(connection, reservations);
        Map<StockKey, Books> books = BooksQuery.ofRepairs(connection, works);
        if (check == IdempotencyCheck.BY_LOOKUP) {
            Journal journal = journal(connection, PendingCommand.requestIds(works));
            return new Book(rows, journal.completed(connection, this), holds, books, journal.now());
        }
        boolean timed = works.stream().anyMatch(PendingCommand::isTimed);
        LocalDateTime now = timed ? now(connection) : StockRow.readAt(rows.values());
        return new Book(rows, new HashMap<>(), holds, books, now);
    }

    /** A reservation may be there although the ledger's line of its request is older than the retention. */
    private static Optional<String> reservation(PendingCommand work, IdempotencyCheck check) {
        return check == IdempotencyCheck.BY_LOOKUP && work.command() instanceof Command.Reserve
                ? Optional.of(work.requestId())
                : work.command().reservation();
    }

    /** What the server's clock says, in UTC. */
    public LocalDateTime now(Connection connection) throws SQLException {
        return journal(connection, List.of()).now();
    }

    /** Writes what was decided. */
    public void write(Connection connection, Book book, ReadMode mode) throws SQLException, ConflictException {
        updateRows(connection, book, mode);
        updateSafety(connection, book);
        insertEntries(connection, book.entries(), book.now());
        if (!book.newHolds().isEmpty()) {
            insertHolds(connection, book.newHolds(), book.now());
        }
        endHolds(connection, book);
    }

    final void endHolds(Connection connection, Book book) throws SQLException, ConflictException {
        for (HoldPart part : book.endedParts()) {
            endPart(connection, part, book.now());
        }
        for (Hold hold : book.extendedHolds()) {
            extend(connection, hold);
        }
        endHolds(connection, book.endedHolds(), book.now());
    }

    /** Of rows that were written before in this transaction, and so are locked. */
    final void updateSafety(Connection connection, Book book) throws SQLException {
        for (StockRow row : book.rows()) {
            if (row.now().safety() != row.before().safety()) {
                String sql = "UPDATE inventory_location SET safety_qty = ? WHERE sku = ? AND location = ?";
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setLong(1, row.now().safety());
                    statement.setString(2, row.key().sku());
                    statement.setString(3, row.key().location());
                    statement.executeUpdate();
                }
            }
        }
    }

    private static void endPart(Connection connection, HoldPart part, LocalDateTime now)
            throws SQLException, ConflictException {
        String change = part.isWhole() ? "state = ?, ended_at = ?" : "quantity = quantity - ?";
        String sql = "UPDATE inventory_reservation SET " + change
                + " WHERE reservation_id = ? AND sku = ? AND location = ? AND state = 'HELD' AND quantity = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = 1;
            if (part.isWhole()) {
                statement.setString(at++, part.end().name());
                statement.setObject(at++, now);
            } else {
                statement.setLong(at++, part.taken());
            }
            statement.setString(at++, part.reservationId());
            statement.setString(at++, part.held().key().sku());
            statement.setString(at++, part.held().key().location());
            statement.setLong(at, part.held().quantity());
            if (statement.executeUpdate() != 1) {
                throw new ConflictException(
                        "A part of the reservation " + part.reservationId() + " was ended in between");
            }
        }
    }

    private static void extend(Connection connection, Hold hold) throws SQLException, ConflictException {
        String sql = "UPDATE inventory_reservation SET expires_at = ? WHERE reservation_id = ? AND state = 'HELD'";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, hold.expiresAt());
            statement.setString(2, hold.id());
            if (statement.executeUpdate() < 1) {
                throw new ConflictException("The reservation " + hold.id() + " was ended in between");
            }
        }
    }

    /** Reads rows, and locks them in the given order, which is the table's. */
    public Map<StockKey, StockRow> read(Connection connection, List<StockKey> keys, ReadMode mode) throws SQLException {
        Map<StockKey, StockRow> rows = new LinkedHashMap<>();
        if (mode.first().isPresent()) {
            StockKey first = mode.first().get();
            readAll(connection, List.of(first), mode.ofFirst(), rows);
            List<StockKey> others =
                    keys.stream().filter(key -> !key.equals(first)).toList();
            readAll(connection, others, ReadMode.SKIPPING, rows);
        } else {
            readAll(connection, keys, mode, rows);
        }
        return rows;
    }

    private void readAll(Connection connection, List<StockKey> keys, ReadMode mode, Map<StockKey, StockRow> rows)
            throws SQLException {
        for (int i = 0; i < keys.size(); i += ROWS_AT_ONCE) {
            readSome(connection, keys.subList(i, Math.min(keys.size(), i + ROWS_AT_ONCE)), mode, rows);
        }
    }

    private void readSome(Connection connection, List<StockKey> keys, ReadMode mode, Map<StockKey, StockRow> rows)
            throws SQLException {
        String where = isOneOf(keys) + (keys.size() == 1 ? "" : " ORDER BY sku, location");
        String sql = opening() + COLUMNS + ", " + rowClock() + ", safety_qty" + FROM + where
                + (mode.locks() ? " FOR UPDATE" : "") + (mode.skips() ? " SKIP LOCKED" : "");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, keys);
            Restore restore = limit(statement, mode.locks() ? mode.seconds() : 0);
            try (ResultSet result = query(statement)) {
                while (result.next()) {
                    Stock stock = stock(result).withSafety(result.getLong(7));
                    rows.put(stock.key(), new StockRow(stock, result.getObject(6, LocalDateTime.class)));
                }
            } finally {
                restore.run();
            }
        }
    }

    /** Restores what was changed. */
    @FunctionalInterface
    interface Restore {
        void run() throws SQLException;
    }

    /** Limits how long a statement may wait for locks, if the limit isn't zero. */
    Restore limit(PreparedStatement statement, int seconds) throws SQLException {
        if (seconds > 0) {
            statement.setQueryTimeout(seconds);
        }
        return () -> {};
    }

    static Stock stock(ResultSet result) throws SQLException {
        return new Stock(
                new StockKey(result.getString(1), result.getString(2)),
                result.getLong(3),
                result.getLong(4),
                result.getLong(5));
    }

    /** The next stocks after the given one, in the order of the table. */
    public List<StockKey> keysAfter(Connection connection, StockKey from, int most) throws SQLException {
        KeyRange range = KeyRange.after(from);
        String sql = "SELECT sku, location" + FROM + range.condition() + " ORDER BY sku, location";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            range.fill(statement, 1);
            try (ResultSet result = statement.executeQuery()) {
                List<StockKey> keys = new ArrayList<>();
                while (result.next()) {
                    keys.add(new StockKey(result.getString(1), result.getString(2)));
                }
                return keys;
            }
        }
    }

    public List<Stock> ofSku(Connection connection, String sku) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(COLUMNS + ", safety_qty" + FROM + "sku = ? ORDER BY location")) {
            statement.setString(1, sku);
            try (ResultSet result = statement.executeQuery()) {
                List<Stock> stocks = new ArrayList<>();
                while (result.next()) {
                    stocks.add(stock(result).withSafety(result.getLong(6)));
                }
                return stocks;
            }
        }
    }

    /** Reservations as they are now. */
    public Map<String, Hold> holds(Connection connection, Collection<String> ids) throws SQLException {
        Map<String, Hold> holds = new HashMap<>();
        if (!ids.isEmpty()) {
            holdLines(connection, ids).forEach((id, lines) -> holds.put(id, lines.hold()));
        }
        return holds;
    }

    private Map<String, HoldLines> holdLines(Connection connection, Collection<String> ids) throws SQLException {
        String sql = opening() + """
                SELECT reservation_id, sku, location, quantity, state, expires_at
                FROM inventory_reservation
                WHERE reservation_id IN (%s)
                ORDER BY reservation_id, sku, location
                """.formatted(Placeholders.upTo(ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Placeholders.fill(statement, 1, List.copyOf(ids));
            try (ResultSet result = query(statement)) {
                return holdLines(result);
            }
        }
    }

    private static Map<String, HoldLines> holdLines(ResultSet result) throws SQLException {
        Map<String, HoldLines> holds = new HashMap<>();
        while (result.next()) {
            StockLine line = StockLine.line(result.getString(2), result.getString(3), result.getLong(4));
            HoldState state = HoldState.valueOf(result.getString(5));
            holds.computeIfAbsent(result.getString(1), HoldLines::new)
                    .add(line, state, result.getObject(6, LocalDateTime.class));
        }
        return holds;
    }

    /** Ends reservations that are held, with one statement for each way in which they end; anything else is a conflict. */
    private void endHolds(Connection connection, Collection<Hold> holds, LocalDateTime now)
            throws SQLException, ConflictException {
        Map<HoldState, List<Hold>> byState =
                holds.stream().collect(Collectors.groupingBy(Hold::state, TreeMap::new, Collectors.toList()));
        for (Map.Entry<HoldState, List<Hold>> ended : byState.entrySet()) {
            int lines = ended.getValue().stream()
                    .mapToInt(hold -> hold.lines().size())
                    .sum();
            List<String> ids = ended.getValue().stream().map(Hold::id).toList();
            if (endHolds(connection, ended.getKey(), ids, now) != lines) {
                throw new ConflictException("A reservation was ended in between");
            }
        }
    }

    /** Returns how many lines of these reservations were held and are ended now. */
    int endHolds(Connection connection, HoldState end, List<String> ids, LocalDateTime now) throws SQLException {
        String sql = """
                UPDATE inventory_reservation SET state = ?, ended_at = ?
                WHERE state = 'HELD' AND reservation_id IN (%s)
                """.formatted(Placeholders.upTo(ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, end.name());
            statement.setObject(2, now);
            Placeholders.fill(statement, 3, ids);
            return statement.executeUpdate();
        }
    }

    /** Writes what was decided, if the rows are still as they were read, whatever the strategy did to keep them so. */
    private void updateRows(Connection connection, Book book, ReadMode mode) throws SQLException, ConflictException {
        List<StockRow> changed =
                book.rows().stream().filter(StockRow::isChanged).toList();
        if (mode.locks() && changed.size() > 1) {
            updateLockedRows(connection, changed, book.now());
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(UPDATE_ROW)) {
            Restore restore = limit(statement, mode.secondsToWrite());
            try {
                updateRows(statement, changed, book.now());
            } finally {
                restore.run();
            }
        }
    }

    private static void updateRows(PreparedStatement statement, List<StockRow> rows, LocalDateTime now)
            throws SQLException, ConflictException {
        for (StockRow row : rows) {
            setRow(statement, row, now);
            if (statement.executeUpdate() != 1) {
                throw conflict(row);
            }
        }
    }

    /** Writes rows that this transaction has locked: in any order, since nothing is waited for. */
    void updateLockedRows(Connection connection, List<StockRow> rows, LocalDateTime now)
            throws SQLException, ConflictException {
        try (PreparedStatement statement = connection.prepareStatement(UPDATE_ROW)) {
            updateRows(statement, rows, now);
        }
    }

    /** Refuses a write of many rows that has found some of them changed. */
    static void requireAll(int written, List<StockRow> rows) throws ConflictException {
        if (written != rows.size()) {
            throw new ConflictException("One of " + rows.size() + " rows was changed in between");
        }
    }

    static ConflictException conflict(StockRow row) {
        return new ConflictException(row.key() + " was changed in between");
    }

    /** Sets the parameters of an update; answers the next one. */
    static int setRow(PreparedStatement statement, StockRow row, LocalDateTime now) throws SQLException {
        statement.setLong(1, row.now().physical());
        statement.setLong(2, row.now().allocated());
        statement.setLong(3, row.now().version());
        statement.setObject(4, now);
        statement.setString(5, row.key().sku());
        statement.setString(6, row.key().location());
        statement.setLong(7, row.before().version());
        statement.setLong(8, row.before().physical());
        statement.setLong(9, row.before().allocated());
        return 10;
    }

    /** Fails on a read-only server, and changes nothing: what such a server shows may be old, and nothing is refused because of it. */
    public void requireWritable(Connection connection) throws SQLException {
        String sql = "UPDATE inventory_location SET version = version WHERE sku = '' AND location = ''";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        }
    }

    /** Those of some stocks whose row has a version below that of the ledger's last line. */
    public Map<StockKey, StockFault> behindLedger(Connection connection, List<StockKey> keys) throws SQLException {
        Map<StockKey, StockFault> behind = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i += ROWS_AT_ONCE) {
            for (Stock row : rowsBehindLedger(connection, keys.subList(i, Math.min(keys.size(), i + ROWS_AT_ONCE)))) {
                Stock last = lastLine(connection, row.key());
                behind.put(row.key(), new StockFault(Kind.LEDGER_DIFFERS, row, last, row.allocated()));
            }
        }
        return behind;
    }

    /** One statement, so that rows and lines are of one moment. */
    private static List<Stock> rowsBehindLedger(Connection connection, List<StockKey> keys) throws SQLException {
        String sql = COLUMNS + FROM + isOneOf(keys)
                + " AND EXISTS (SELECT 1 FROM inventory_transaction line WHERE line.sku = inventory_location.sku"
                + " AND line.location = inventory_location.location AND line.sequence > inventory_location.version)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, keys);
            try (ResultSet result = statement.executeQuery()) {
                List<Stock> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(stock(result));
                }
                return rows;
            }
        }
    }

    private static Stock lastLine(Connection connection, StockKey key) throws SQLException {
        String sql = """
                SELECT sku, location, physical_after, allocated_after, sequence FROM inventory_transaction
                WHERE sku = ? AND location = ? ORDER BY sequence DESC
                """;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(1);
            fill(statement, List.of(key));
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? stock(result) : new Stock(key, 0, 0, 0);
            }
        }
    }

    static String isOneOf(List<StockKey> keys) {
        return keys.size() == 1
                ? "sku = ? AND location = ?"
                : "(sku, location) IN (" + "(?, ?), ".repeat(keys.size() - 1) + "(?, ?))";
    }

    static void fill(PreparedStatement statement, List<StockKey> keys) throws SQLException {
        int at = 1;
        for (StockKey key : keys) {
            statement.setString(at++, key.sku());
            statement.setString(at++, key.location());
        }
    }

    /** Creates empty rows for those of some stocks that have none; returns how many. */
    public int insertMissingRows(Connection connection, List<StockKey> keys) throws SQLException {
        Map<StockKey, StockRow> there = read(connection, keys, ReadMode.PLAIN);
        List<StockKey> missing =
                keys.stream().filter(key -> !there.containsKey(key)).toList();
        for (int i = 0; i < missing.size(); i += ROWS_AT_ONCE) {
            insertRows(connection, missing.subList(i, Math.min(missing.size(), i + ROWS_AT_ONCE)));
        }
        return missing.size();
    }

    private static void insertRows(Connection connection, List<StockKey> keys) throws SQLException {
        String sql =
                "INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at) VALUES "
                        + "(?, ?, 0, 0, 0, ?), ".repeat(keys.size() - 1) + "(?, ?, 0, 0, 0, ?)";
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = 1;
            for (StockKey key : keys) {
                statement.setString(at++, key.sku());
                statement.setString(at++, key.location());
                statement.setObject(at++, now);
            }
            statement.executeUpdate();
        }
    }

    /** Reservations whose time has ended, from the given one on. The clock is read once, so that the index leads to them. */
    public List<DueHold> due(Connection connection, DueHold after, int most) throws SQLException {
        String sql = """
                SELECT DISTINCT reservation_id, expires_at
                FROM inventory_reservation
                WHERE state = 'HELD' AND expires_at <= (SELECT %s) AND (expires_at > ? OR expires_at = ? AND reservation_id > ?)
                ORDER BY expires_at, reservation_id
                """.formatted(clock());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            statement.setObject(1, after.expiresAt());
            statement.setObject(2, after.expiresAt());
            statement.setString(3, after.id());
            try (ResultSet result = statement.executeQuery()) {
                List<DueHold> due = new ArrayList<>();
                while (result.next()) {
                    due.add(new DueHold(result.getString(1), result.getObject(2, LocalDateTime.class)));
                }
                return due;
            }
        }
    }

    /** A reservation as its owner sees it. */
    public Optional<Hold> hold(Connection connection, String id) throws SQLException {
        return Optional.ofNullable(holdLines(connection, List.of(id)).get(id)).map(HoldLines::shown);
    }
}
