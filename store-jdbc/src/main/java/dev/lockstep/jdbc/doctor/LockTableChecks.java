package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.fencing.FenceTable;
import dev.lockstep.jdbc.sql.Numbers;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlFault;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.KindRows;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.LockTables;
import dev.lockstep.jdbc.tables.TableSchema;
import dev.lockstep.jdbc.tables.TableSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The doctor's checks of the lock tables of MySQL and MariaDB. */
public final class LockTableChecks {
    /** Up to this many rows of a level are counted, of more a sample is. */
    private static final int COUNTED = 100_000;

    private static final int SAMPLE = 1_000;

    private final ServerProduct product;

    public LockTableChecks(ServerProduct product) {
        this.product = product;
    }

    public List<Check> all() {
        return List.of(new Check("lock tables", this::tables), new Check("table of the fencing guard", this::fences));
    }

    private List<Finding> tables(Connection connection) throws SQLException {
        Map<String, String> engines = TableSchema.engines(connection);
        List<Finding> findings = new ArrayList<>();
        Optional<TableSettings> settings = Optional.empty();
        if (isUsable(TableSchema.SETTINGS, engines, connection, findings)) {
            settings = settings(connection, findings);
        }
        boolean hasKinds = isUsable(TableSchema.KINDS, engines, connection, findings);
        if (settings.isPresent() && isUsable(settings.get().layout().rows(), engines, connection, findings)) {
            privileges(connection, settings.get().layout().rows(), findings);
            if (hasKinds) {
                rows(connection, settings.get(), findings);
            }
        }
        return findings;
    }

    private static boolean isUsable(
            TableSchema table, Map<String, String> engines, Connection connection, List<Finding> findings)
            throws SQLException {
        @Nullable String engine = engines.get(table.sqlName());
        if (engine == null) {
            findings.add(Finding.error(
                    "The table " + table.sqlName() + " is missing in the database '" + connection.getCatalog()
                            + "', or the user may not see it.",
                    LockTables.HOW_TO_PROVISION));
        } else if (!engine.equalsIgnoreCase("InnoDB")) {
            findings.add(Finding.error(
                    "The table " + table.sqlName() + " has the storage engine " + engine + ", which has no row locks.",
                    "ALTER TABLE " + table.sqlName() + " ENGINE = InnoDB."));
            return false;
        }
        return engine != null;
    }

    private static Optional<TableSettings> settings(Connection connection, List<Finding> findings) throws SQLException {
        try {
            Optional<TableSettings> settings = TableSettings.read(connection);
            if (settings.isEmpty()) {
                findings.add(Finding.error(
                        "hier_lock_settings is empty: provisioning was not finished.", LockTables.HOW_TO_PROVISION));
            }
            return settings;
        } catch (LockException e) {
            findings.add(Finding.error("The recorded settings can't be used.", String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    // ---- privileges

    /** Selects rows that never exist, so that nothing is locked and nothing waits. */
    private void privileges(Connection connection, TableSchema table, List<Finding> findings) throws SQLException {
        String condition = table == TableSchema.BUCKETS ? "level = -1 AND bucket = -1" : "lock_key = ''";
        String share = product == ServerProduct.MARIADB ? "LOCK IN SHARE MODE" : "FOR SHARE";
        for (String clause : List.of("FOR UPDATE", share)) {
            try {
                Queries.execute(
                        connection,
                        "SELECT 1 FROM " + table.sqlName() + " WHERE " + condition + " " + clause + " NOWAIT");
            } catch (SQLException e) {
                findings.add(refusal(table, clause, e));
                return;
            }
        }
        findings.add(Finding.ok("Rows of " + table.sqlName() + " can be locked."));
    }

    private Finding refusal(TableSchema table, String clause, SQLException error) throws SQLException {
        String what = "Rows of " + table.sqlName() + " can't be locked " + clause + ": " + Finding.reason(error);
        return switch (SqlFault.of(error)) {
            case CONNECTION_LOST -> throw error;
            case DENIED ->
                Finding.error(
                        what,
                        "GRANT SELECT" + (product == ServerProduct.MARIADB ? "" : ", UPDATE") + " ON " + table.sqlName()
                                + " to the user.");
            case READ_ONLY ->
                Finding.error(what, "Connect to the primary, with a DataSource whose connections aren't read-only.");
            default -> Finding.error(what, "Find out why: the store uses this statement for every lock.");
        };
    }

    // ---- rows

    private static void rows(Connection connection, TableSettings settings, List<Finding> findings)
            throws SQLException {
        KindRows kinds = KindRows.read(connection);
        if (kinds.all().isEmpty()) {
            findings.add(Finding.error("No kind is recorded in hier_lock_kinds.", LockTables.HOW_TO_PROVISION));
        }
        if (!kinds.unfilled().isEmpty()) {
            findings.add(Finding.error(
                    "Provisioning was not finished for " + names(kinds.unfilled()) + ".", LockTables.HOW_TO_PROVISION));
        }
        if (settings.layout() == Layout.BUCKETS) {
            List<KindLevel> holed = new ArrayList<>();
            for (KindLevel kind : kinds.filled()) {
                if (hasHoles(connection, kind.level(), settings.buckets())) {
                    holed.add(kind);
                }
            }
            findings.add(judge(settings.buckets(), holed, kinds.filled().size()));
        }
    }

    private static Finding judge(int buckets, List<KindLevel> holed, int kinds) {
        return holed.isEmpty()
                ? Finding.ok(kinds + " kinds have " + Numbers.grouped(buckets) + " rows each"
                        + (buckets > COUNTED ? ", as far as a sample shows." : "."))
                : Finding.error(
                        "Rows of hier_lock_buckets are missing for " + names(holed) + ", which should have "
                                + Numbers.grouped(buckets) + " each.",
                        LockTables.HOW_TO_PROVISION);
    }

    private static boolean hasHoles(Connection connection, int level, int buckets) throws SQLException {
        String count = "SELECT COUNT(*) FROM hier_lock_buckets WHERE level = " + level;
        if (buckets <= COUNTED) {
            return Queries.number(connection, count + " AND bucket BETWEEN 0 AND " + (buckets - 1)) < buckets;
        }
        String sample = IntStream.concat(
                        IntStream.of(0, buckets - 1),
                        ThreadLocalRandom.current().ints(SAMPLE, 0, buckets))
                .distinct()
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        return Queries.number(connection, count + " AND bucket IN (" + sample + ")") < sample.split(",", -1).length;
    }

    private static String names(List<KindLevel> kinds) {
        return KindRows.names(kinds.stream().map(KindLevel::definition).toList());
    }

    // ---- fences

    private List<Finding> fences(Connection connection) throws SQLException {
        String engine = Queries.text(connection, """
                SELECT engine FROM information_schema.tables
                WHERE table_schema = DATABASE() AND table_name = 'lockstep_fences'
                """);
        if (engine.isEmpty()) {
            return List.of(Finding.ok(
                    "There is no table " + FenceTable.NAME + ".",
                    "Only FencingGuard needs it: FencingGuard.createTable."));
        }
        return List.of(
                engine.equalsIgnoreCase("InnoDB")
                        ? Finding.ok("The table " + FenceTable.NAME + " is there.")
                        : Finding.error(
                                "The table " + FenceTable.NAME + " has the storage engine " + engine
                                        + ", so checks are not part of the transaction.",
                                "ALTER TABLE " + FenceTable.NAME + " ENGINE = InnoDB."));
    }
}
