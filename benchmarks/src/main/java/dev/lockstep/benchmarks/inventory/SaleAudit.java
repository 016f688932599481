package dev.lockstep.benchmarks.inventory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Whether stock, ledger and reservations agree with one another and with the outcomes that clients got. */
final class SaleAudit {
    /** Questions whose answer is zero when all is well. */
    private static final Map<String, String> WRONG = new LinkedHashMap<>();

    static {
        WRONG.put("stocks are oversold", """
                SELECT COUNT(*) FROM inventory_location
                WHERE allocated_qty < 0 OR physical_qty < 0 OR allocated_qty > physical_qty
                """);
        WRONG.put("stocks differ from the sum of their ledger", """
                SELECT COUNT(*)
                FROM inventory_location s
                LEFT JOIN (
                  SELECT sku, location, COUNT(*) AS entries, MAX(sequence) AS latest,
                    SUM(physical_change) AS physical, SUM(allocated_change) AS allocated
                  FROM inventory_transaction
                  GROUP BY sku, location
                ) l ON l.sku = s.sku AND l.location = s.location
                WHERE l.entries IS NULL OR l.entries <> s.version OR l.latest <> s.version
                  OR l.physical <> s.physical_qty OR l.allocated <> s.allocated_qty
                """);
        WRONG.put("ledger rows have a balance that is not the sum up to them", """
                SELECT COUNT(*)
                FROM (
                  SELECT allocated_after,
                    SUM(allocated_change) OVER (PARTITION BY sku, location ORDER BY sequence) AS allocated
                  FROM inventory_transaction
                ) e
                WHERE allocated_after <> allocated
                """);
        WRONG.put("reserved pieces are in no reservation", """
                SELECT (SELECT COALESCE(SUM(allocated_qty), 0) FROM inventory_location)
                  - (SELECT COALESCE(SUM(quantity), 0) FROM inventory_reservation WHERE state = 'HELD')
                """);
        WRONG.put("request ids were done twice", """
                SELECT (SELECT COUNT(*) FROM inventory_transaction)
                  - (SELECT COUNT(*) FROM (SELECT DISTINCT request_id, request_line FROM inventory_transaction) lines)
                """);
    }

    private final DataSource pool;

    SaleAudit(DataSource pool) {
        this.pool = pool;
    }

    /** Throws when anything is wrong given how many clients got an accepted outcome, and how many an unknown one. */
    void check(long reserved, long unknown) throws SQLException {
        List<String> violations = new ArrayList<>();
        try (Connection connection = pool.getConnection()) {
            for (Map.Entry<String, String> each : WRONG.entrySet()) {
                long wrong = number(connection, each.getValue());
                if (wrong != 0) {
                    violations.add(wrong + " " + each.getKey());
                }
            }
            long entries = number(
                    connection,
                    "SELECT COUNT(*) FROM inventory_transaction WHERE type = 'RESERVE' AND request_line = 0");
            if (entries < reserved || entries > reserved + unknown) {
                violations.add("%d outcomes were accepted, %d unknown, and the ledger has %d"
                        .formatted(reserved, unknown, entries));
            }
            connection.rollback();
        }
        if (!violations.isEmpty()) {
            throw new IllegalStateException("The books are wrong: " + String.join("; ", violations));
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}
