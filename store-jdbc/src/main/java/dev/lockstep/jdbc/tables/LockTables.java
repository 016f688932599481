package dev.lockstep.jdbc.tables;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a database recorded about its lock rows when it was read: the layout, the number of buckets, the kinds. */
public final class LockTables {
    /** What to do about anything that isn't provisioned. */
    public static final String HOW_TO_PROVISION =
            "Run the command 'lockstep provision', or Provisioning.of(dataSource).kinds(…).run() or the SQL of its script(), or"
                    + " let provisionIfMissing(…) of the store do it.";

    private final TableSettings settings;
    private final KindRows rows;
    private final Map<String, KindLevel> byPrefix = new HashMap<>();

    private LockTables(TableSettings settings, KindRows rows) {
        this.settings = settings;
        this.rows = rows;
        rows.filled().forEach(kind -> byPrefix.put(kind.prefix(), kind));
    }

    /** Reads the tables of the connection's database; fails with how to create them if they are missing. */
    public static LockTables open(Connection connection) {
        try {
            return read(connection);
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Reading the lock tables");
        }
    }

    private static LockTables read(Connection connection) throws SQLException {
        Map<String, String> engines = TableSchema.engines(connection);
        requireTable(TableSchema.SETTINGS, engines, connection);
        requireTable(TableSchema.KINDS, engines, connection);
        TableSettings settings = TableSettings.read(connection)
                .orElseThrow(() ->
                        failed("hier_lock_settings is empty: provisioning was not finished. " + HOW_TO_PROVISION));
        requireTable(settings.layout().rows(), engines, connection);
        return new LockTables(settings, KindRows.read(connection));
    }

    private static void requireTable(TableSchema table, Map<String, String> engines, Connection connection)
            throws SQLException {
        @Nullable String engine = engines.get(table.sqlName());
        if (engine == null) {
            throw failed("The table " + table.sqlName() + " is missing in the database '" + connection.getCatalog()
                    + "', or the user may not see it. " + HOW_TO_PROVISION);
        }
        if (!engine.equalsIgnoreCase("InnoDB")) {
            throw failed("The table " + table.sqlName() + " has the storage engine " + engine
                    + ", which has no row locks. Run ALTER TABLE " + table.sqlName() + " ENGINE = InnoDB.");
        }
    }

    private static LockException failed(String message) {
        return new LockException(ErrorCode.STORE_FAILED, message, List.of(), null);
    }

    /** How many rows each level has; zero where rows stand for ids. */
    public int buckets() {
        return settings.buckets();
    }

    /** What a row stands for. */
    public Layout layout() {
        return settings.layout();
    }

    /** A kind that can be locked. */
    public Optional<KindLevel> find(String prefix) {
        return Optional.ofNullable(byPrefix.get(prefix));
    }

    /** The kinds that can be locked, in order of rank. */
    public List<KindLevel> kinds() {
        return rows.filled();
    }

    /**
     * Those of some kinds that can't be locked yet, because they aren't recorded or their rows are still being created. Refuses
     * kinds that contradict the recorded ones. What others recorded since these tables were read isn't known here.
     */
    public List<KindDefinition> missing(List<KindDefinition> wanted) {
        rows.unrecorded(wanted);
        return wanted.stream()
                .filter(kind -> !byPrefix.containsKey(kind.prefix()))
                .distinct()
                .toList();
    }

    /** All that is recorded about kinds. */
    public KindRows rows() {
        return rows;
    }

    /** Refuses another number of buckets, or another layout, than the recorded one. */
    public void requireBuckets(int wanted) {
        settings.requireBuckets(wanted);
    }

    /** Refuses another layout than the recorded one. */
    public void requireLayout(Layout wanted) {
        settings.requireLayout(wanted);
    }
}
