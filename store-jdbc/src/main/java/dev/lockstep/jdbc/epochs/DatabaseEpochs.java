package dev.lockstep.jdbc.epochs;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.DedicatedConnection;
import dev.lockstep.jdbc.sql.SqlCall;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.SQLException;
import java.util.List;

/** The register of a pair: a row of the table of epochs, read and changed only on a server that takes writes. */
public final class DatabaseEpochs implements EpochRegister {
    private final DedicatedConnection connection;
    private final EpochSql sql;
    private final String name;

    public DatabaseEpochs(DedicatedConnection connection, EpochSql sql, String name) {
        this.connection = connection;
        this.sql = sql;
        this.name = name;
    }

    @Override
    public void requireUsable() {
        EpochRow row =
                call("Reading the epoch of the pair '" + name + "'", () -> connection.call(at -> sql.read(at, name)));
        if (row.standby()) {
            throw new InvalidRequestException(standby()
                    + " If it is a replica, give the secondary a DataSource that leads to its primary; if it is not, let it take writes"
                    + " (read_only on MySQL and MariaDB, default_transaction_read_only on PostgreSQL).");
        }
        if (row.epoch().isEmpty()) {
            throw new InvalidRequestException(
                    "The table " + EpochSql.TABLE + " has no row for the pair '" + name + "'. " + howToProvision());
        }
        call(
                "Changing the epoch of the pair '" + name + "'",
                () -> connection.call(at -> {
                    sql.touch(at, name);
                    return true;
                }));
    }

    @Override
    public Epoch read() {
        String doing = "Reading the epoch of the pair '" + name + "'";
        try {
            EpochRow row = connection.call(at -> sql.read(at, name));
            if (row.standby()) {
                throw new LockException(ErrorCode.STORE_UNAVAILABLE, standby(), List.of(), null);
            }
            return row.epoch().orElseThrow(this::lostRow);
        } catch (SQLException e) {
            throw failure(e, doing);
        }
    }

    /** The question before the change finds a dead connection, and a server that became a replica. */
    @Override
    public boolean replace(Epoch expected, Epoch next) {
        if (!read().equals(expected)) {
            return false;
        }
        try {
            return connection.callOnce(at -> sql.replace(at, name, expected, next));
        } catch (SQLException e) {
            throw failure(e, "Changing the epoch of the pair '" + name + "' (which may be done all the same)");
        }
    }

    // ---- refusals

    private <T> T call(String doing, SqlCall<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw switch (SqlFault.of(e)) {
                case MISSING_TABLE ->
                    new InvalidRequestException("There is no table " + EpochSql.TABLE
                            + " in the database of the secondary. " + howToProvision());
                case DENIED ->
                    new InvalidRequestException(doing + " is refused by the database: " + e.getMessage()
                            + ". Grant the user SELECT and UPDATE on " + EpochSql.TABLE + ".");
                case READ_ONLY -> new InvalidRequestException(standby() + " " + e.getMessage());
                default -> failure(e, doing);
            };
        }
    }

    private String howToProvision() {
        return "Run './lockstep provision --epochs --pair " + name + " --store jdbc:…', or"
                + " EpochTable.on(dataSource).provision(\"" + name + "\"), once.";
    }

    private static String standby() {
        return "The server of the secondary doesn't take writes, so what it says about whose turn it is may be old.";
    }

    private LockException lostRow() {
        return new LockException(
                ErrorCode.STORE_FAILED,
                "The row of the pair '" + name + "' is gone from the table " + EpochSql.TABLE
                        + ". End all processes that use the pair, and make it again. " + howToProvision(),
                List.of(),
                null);
    }

    /** Whatever passes is for the caller the same: the register didn't answer. */
    private static LockException failure(SQLException error, String doing) {
        LockException known = DatabaseErrors.of(error, doing);
        return known.code() == ErrorCode.STORE_FAILED
                ? known
                : new LockException(ErrorCode.STORE_UNAVAILABLE, String.valueOf(known.getMessage()), List.of(), error);
    }
}
