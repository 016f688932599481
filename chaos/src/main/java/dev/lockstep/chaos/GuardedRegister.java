package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import dev.lockstep.jdbc.FencingGuard;
import dev.lockstep.jdbc.StaleTokenException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/** A register on PostgreSQL, behind {@link FencingGuard}. */
final class GuardedRegister implements Register {
    private static final FencingToken NONE = new FencingToken(0, 0);
    private static final String INSERT = "INSERT INTO chaos_writes (thing) VALUES (?) RETURNING seq";
    private static final String LOOK = "SELECT epoch, value FROM chaos_unfenced WHERE thing = ? FOR UPDATE";
    private static final String PUT = """
            INSERT INTO chaos_unfenced (thing, epoch, value) VALUES (?, ?, ?)
            ON CONFLICT (thing) DO UPDATE SET epoch = EXCLUDED.epoch, value = EXCLUDED.value""";

    private final Connection connection;

    private GuardedRegister(Connection connection) {
        this.connection = connection;
    }

    static GuardedRegister at(String url, String user) {
        try {
            Connection connection = DriverManager.getConnection(url, user, "");
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit TO off"); // leases are short, and this server isn't broken
            }
            connection.setAutoCommit(false);
            return new GuardedRegister(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("The register can't be reached", e);
        }
    }

    /** Creates the tables. */
    static void create(Connection connection) throws SQLException {
        FencingGuard.createTable(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE chaos_writes (seq BIGSERIAL PRIMARY KEY, thing VARCHAR(100) NOT NULL)");
            statement.execute(
                    "CREATE TABLE chaos_unfenced (thing VARCHAR(100) PRIMARY KEY, epoch BIGINT NOT NULL, value BIGINT NOT NULL)");
        }
    }

    /** The number is drawn while the guard's row of the thing is locked: numbers of one thing are in the order of its writes. */
    @Override
    public OptionalLong write(String thing, FencingToken token) {
        try {
            FencingGuard.on(connection).check("chaos", thing, token);
            long number = insert(thing);
            connection.commit();
            return OptionalLong.of(number);
        } catch (StaleTokenException e) {
            rollBack();
            return OptionalLong.empty();
        } catch (SQLException e) {
            throw new IllegalStateException("The register failed", e);
        }
    }

    private long insert(String thing) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, thing);
            try (ResultSet made = insert.executeQuery()) {
                made.next();
                return made.getLong(1);
            }
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException("The register failed", e);
        }
    }

    @Override
    public FencingToken writeUnfenced(String thing, FencingToken token) {
        try (PreparedStatement look = connection.prepareStatement(LOOK);
                PreparedStatement put = connection.prepareStatement(PUT)) {
            look.setString(1, thing);
            FencingToken before = before(look);
            put.setString(1, thing);
            put.setLong(2, token.epoch());
            put.setLong(3, token.value());
            put.executeUpdate();
            connection.commit();
            return before;
        } catch (SQLException e) {
            throw new IllegalStateException("The register failed", e);
        }
    }

    private static FencingToken before(PreparedStatement look) throws SQLException {
        try (ResultSet found = look.executeQuery()) {
            return found.next() ? new FencingToken(found.getLong(1), found.getLong(2)) : NONE;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("The register failed", e);
        }
    }
}
