package dev.lockstep.inventory;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.sql.DatabaseFailure;
import dev.lockstep.inventory.sql.Fault;
import dev.lockstep.inventory.sql.Product;
import dev.lockstep.inventory.sql.TableGuards;
import dev.lockstep.inventory.sql.TablePrefix;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The tables of an inventory. {@link #apply} creates those that are missing and verifies that all of them refuse what must never be in
 * them; it may be called at every start, by many processes.
 *
 * <p>Or let Flyway do it, with the files in {@code classpath:db/lockstep-inventory/} and then {@code mysql}, {@code mariadb},
 * {@code postgresql} or {@code h2}. With their own history they don't get in the way of the shop's migrations, and it doesn't
 * matter whether {@link #apply} was there first:
 *
 * <pre>{@code
 * Flyway.configure().dataSource(dataSource)
 *         .locations("classpath:db/lockstep-inventory/postgresql")
 *         .table("lockstep_inventory_history")
 *         .baselineOnMigrate(true).baselineVersion("0")
 *         .load().migrate();
 * }</pre>
 */
public final class InventorySchema {
    private static final List<String> FIRST_FILES = List.of("V1__inventory.sql", "V2__held_index.sql");

    /** Changes tables, and so it is not run again, nor on tables that may be the shop's own. */
    private static final String LAST_FILE = "V3__changes.sql";

    private static final List<String> TABLES =
            List.of("inventory_location", "inventory_transaction", "inventory_reservation", "inventory_change");

    /** H2 doesn't always get along with those who make the same index at the same time, but soon sees that it is there. */
    private static final int TRIES = 5;

    /** On PostgreSQL, those who make the same table at the same time fail, also when they say IF NOT EXISTS. */
    private static final String ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('lockstep-inventory-schema'))";

    private final DataSource dataSource;
    private final TablePrefix prefix;

    private InventorySchema(DataSource dataSource, TablePrefix prefix) {
        this.dataSource = dataSource;
        this.prefix = prefix;
    }

    /** The tables in this database. */
    public static InventorySchema on(DataSource dataSource) {
        return new InventorySchema(dataSource, TablePrefix.NONE);
    }

    /**
     * The same tables with names that begin with this prefix, for {@link InventoryBuilder#tablePrefix}.
     *
     * @throws dev.lockstep.core.InvalidRequestException if the prefix is not 1 to 20 of a-z, 0-9 and _, with a letter first
     */
    public InventorySchema tablePrefix(String used) {
        return new InventorySchema(dataSource, TablePrefix.of(used));
    }

    /**
     * Creates the tables and indexes that are missing, and {@link #verify verifies} all tables. A user who may not create tables can call
     * it too, once they are there.
     *
     * @throws LockException if a table is missing and can't be created, or if one lacks its guards
     */
    public void apply() {
        inTransaction(InventorySchema::apply);
    }

    /**
     * Verifies that the tables refuse negative stock, double requests and double reservations, and leaves no row. For tables that
     * {@link #apply} didn't create.
     *
     * @throws LockException if a table lacks its guards, or is missing
     */
    public void verify() {
        inTransaction(TableGuards::verify);
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    private void inTransaction(Step step) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                step.on(prefix.on(connection));
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            String advice = Fault.of(e) == Fault.FORBIDDEN
                    ? ". The user needs the right to create tables; or run script() as one who has it."
                    : ".";
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The tables of the inventory could not be created: " + e.getMessage() + advice,
                    List.of(),
                    e);
        }
    }

    private static void apply(Connection connection) throws SQLException {
        Product product = Product.of(connection);
        boolean complete = isThere(connection);
        apply(connection, product, script(product, FIRST_FILES));
        TableGuards.verify(connection);
        if (!complete) {
            apply(connection, product, script(product, List.of(LAST_FILE)));
        }
    }

    private static void apply(Connection connection, Product product, String script) throws SQLException {
        for (int left = TRIES - 1; ; left--) {
            try {
                make(connection, product, script);
                return;
            } catch (SQLException e) {
                Fault fault = Fault.of(e);
                if (fault == Fault.FORBIDDEN && isThere(connection)) {
                    return;
                }
                if (left == 0 || fault == Fault.FORBIDDEN || fault == Fault.CONNECTION) {
                    throw e;
                }
                connection.rollback();
            }
        }
    }

    private static void make(Connection connection, Product product, String script) throws SQLException {
        if (product == Product.POSTGRESQL) {
            run(connection, ONE_AT_A_TIME);
        }
        for (String statement : statements(script)) {
            run(connection, statement);
        }
        connection.commit();
    }

    private static boolean isThere(Connection connection) throws SQLException {
        connection.rollback();
        try {
            for (String table : TABLES) {
                run(connection, "SELECT 1 FROM " + table + " WHERE 1 = 0");
            }
            run(connection, "SELECT unpublished FROM inventory_location WHERE 1 = 0");
            run(connection, "SELECT position FROM inventory_feed WHERE 1 = 0");
            return true;
        } catch (SQLException e) {
            return false;
        } finally {
            connection.rollback();
        }
    }

    /** What {@link #apply} would run, to be read, or run by another tool. */
    public String script() {
        try (Connection connection = dataSource.getConnection()) {
            Product product = Product.of(connection);
            return prefix.in(script(product, FIRST_FILES) + script(product, List.of(LAST_FILE)));
        } catch (SQLException e) {
            throw DatabaseFailure.of(e);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String script(Product product, List<String> files) {
        StringBuilder all = new StringBuilder();
        files.forEach(file -> all.append(read(product.migrations() + "/" + file)));
        return all.toString();
    }

    private static String read(String path) {
        try (InputStream in = Objects.requireNonNull(InventorySchema.class.getResourceAsStream("/" + path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> statements(String script) {
        String withoutComments = script.replaceAll("(?m)^--.*$", "");
        return Stream.of(withoutComments.split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
