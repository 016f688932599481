package dev.lockstep.inventory.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that the tables refuse what must never be in them, by writing it and rolling back: so it counts what the database does, and
 * not what its constraints are called.
 */
public final class TableGuards {
    private static final String STOCK =
            "INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at)"
                    + " VALUES ('%s', 'check', %d, %d, 0, CURRENT_TIMESTAMP)";
    private static final String LINE =
            "INSERT INTO inventory_transaction (sku, location, sequence, request_id, request_line, payload_hash, type,"
                    + " physical_change, allocated_change, physical_after, allocated_after, created_at)"
                    + " VALUES ('%s', 'check', %d, '%s', 0, '0', 'RECEIVE', 0, 0, 0, 0, CURRENT_TIMESTAMP)";
    private static final String HOLD =
            "INSERT INTO inventory_reservation (reservation_id, sku, location, quantity, state, created_at)"
                    + " VALUES ('%s', 'check', 'check', %d, '%s', CURRENT_TIMESTAMP)";

    /** Faults that say nothing about the tables. */
    private static final Set<Fault> ELSEWHERE =
            EnumSet.of(Fault.CONFLICT, Fault.TIMEOUT, Fault.CONNECTION, Fault.READ_ONLY, Fault.INTERRUPTED);

    /** InnoDB may break a deadlock between processes that verify at the same time. */
    private static final int TRIES = 5;

    private final Connection connection;
    private final String probe = "lockstep-" + UUID.randomUUID();

    private TableGuards(Connection connection) {
        this.connection = connection;
    }

    /** Throws if a table lacks a guard; leaves no row. The connection must not be in autocommit mode. */
    public static void verify(Connection connection) throws SQLException {
        for (int left = TRIES - 1; ; left--) {
            try {
                new TableGuards(connection).verify();
                return;
            } catch (SQLException e) {
                if (left == 0 || Fault.of(e) != Fault.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    private void verify() throws SQLException {
        require("inventory_location", null, stock(1, 0));
        require("inventory_location", Fault.DUPLICATE, stock(1, 0), stock(1, 0));
        require("inventory_location", Fault.GUARD, stock(-1, 0));
        require("inventory_location", Fault.GUARD, stock(1, -1));
        require("inventory_location", Fault.GUARD, stock(1, 2));
        require("inventory_transaction", null, line(1, "a"));
        require("inventory_transaction", Fault.DUPLICATE, line(1, "a"), line(1, "b"));
        require("inventory_transaction", Fault.DUPLICATE, line(1, "a"), line(2, "a"));
        require("inventory_reservation", null, hold(1, "HELD"));
        require("inventory_reservation", Fault.DUPLICATE, hold(1, "HELD"), hold(1, "HELD"));
        require("inventory_reservation", Fault.GUARD, hold(0, "HELD"));
        require("inventory_reservation", Fault.GUARD, hold(1, "LOST"));
        requireRolledBack();
    }

    private String stock(long physical, long allocated) {
        return STOCK.formatted(probe, physical, allocated);
    }

    private String line(long sequence, String request) {
        return LINE.formatted(probe, sequence, probe + request);
    }

    private String hold(long quantity, String state) {
        return HOLD.formatted(probe, quantity, state);
    }

    /** Runs statements of which the last must fail with that fault, or none if there is none, and rolls back. */
    private void require(String table, @Nullable Fault expected, String... statements) throws SQLException {
        @Nullable SQLException failure = null;
        for (String sql : statements) {
            failure = failure == null ? run(sql) : failure;
        }
        connection.rollback();
        @Nullable Fault found = failure == null ? null : Fault.of(failure);
        if (found == expected) {
            return;
        }
        if (failure != null && ELSEWHERE.contains(found)) {
            throw failure;
        }
        String last = statements[statements.length - 1];
        throw refused(
                table,
                failure == null
                        ? "accepts what must be refused (" + last + ")"
                        : "does not accept what it must (" + failure.getMessage() + ")",
                failure);
    }

    private @Nullable SQLException run(String sql) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
            return null;
        } catch (SQLException e) {
            return e;
        }
    }

    /** A table without transactions would keep half of a sale. */
    private void requireRolledBack() throws SQLException {
        requireRolledBack("inventory_location", "sku");
        requireRolledBack("inventory_transaction", "sku");
        requireRolledBack("inventory_reservation", "reservation_id");
    }

    private void requireRolledBack(String table, String column) throws SQLException {
        String condition = " FROM " + table + " WHERE " + column + " = '" + probe + "'";
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1" + condition);
                ResultSet left = statement.executeQuery()) {
            if (!left.next()) {
                return;
            }
        } finally {
            connection.rollback();
        }
        run("DELETE" + condition);
        throw refused(table, "keeps what was rolled back", null);
    }

    private static LockException refused(String table, String what, @Nullable SQLException cause) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                "The table " + table + " " + what + ", so stock could be oversold, or counted twice. It isn't the table"
                        + " that InventorySchema creates. Rename it, or use a table prefix for those of the inventory;"
                        + " then call apply() again. The user needs the right to insert into the tables.",
                List.of(),
                cause);
    }
}
