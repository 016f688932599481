package dev.lockstep.inventory;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
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
 * The tables of an inventory. {@link #apply} makes those that are missing; it may be called at every start, by many processes.
 * Or let Flyway do it: its files are in {@code classpath:db/lockstep-inventory/} and then {@code mysql}, {@code mariadb},
 * {@code postgresql} or {@code h2}.
 */
public final class InventorySchema {
    private static final List<String> FILES = List.of("V1__inventory.sql");

    private final DataSource dataSource;

    private InventorySchema(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** The tables in this database. */
    public static InventorySchema on(DataSource dataSource) {
        return new InventorySchema(dataSource);
    }

    /** Makes the tables that are missing. */
    public void apply() {
        try (Connection connection = dataSource.getConnection()) {
            for (String statement : statements(script(Product.of(connection)))) {
                run(connection, statement);
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The tables of the inventory could not be made: " + e.getMessage()
                            + ". The user needs the right to create tables; or run script() as one who has it.",
                    List.of(),
                    e);
        }
    }

    /** What {@link #apply} would run, to be read or run by someone else. */
    public String script() {
        try (Connection connection = dataSource.getConnection()) {
            return script(Product.of(connection));
        } catch (SQLException e) {
            throw Clerk.failure(e);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String script(Product product) {
        StringBuilder all = new StringBuilder();
        FILES.forEach(file -> all.append(read(product.migrations() + "/" + file)));
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
