package dev.lockstep.inventory.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.SQLException;
import java.util.List;

/** What is thrown, or shown as a cause, when the database fails. */
public final class DatabaseFailure {
    private DatabaseFailure() {}

    /** The error, or what to do about it where that is known. */
    public static Exception explained(SQLException error) {
        Fault fault = Fault.of(error);
        return fault == Fault.MISSING_TABLE || fault == Fault.READ_ONLY ? of(error) : error;
    }

    /** What to throw where there is no outcome to return. */
    public static LockException of(Throwable error) {
        if (error instanceof LockException known) {
            return known;
        }
        Fault fault = error instanceof SQLException sql ? Fault.of(sql) : Fault.OTHER;
        boolean unavailable = fault == Fault.CONNECTION || fault == Fault.READ_ONLY;
        ErrorCode code = unavailable ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED;
        return new LockException(code, message(fault, error), List.of(), error);
    }

    private static String message(Fault fault, Throwable error) {
        return switch (fault) {
            case MISSING_TABLE ->
                "The tables of the inventory are missing or of an older version (" + error.getMessage()
                        + "). Call InventorySchema.on(dataSource).apply(), or let Flyway run the files under"
                        + " db/lockstep-inventory.";
            case READ_ONLY ->
                "The database of the inventory is read-only (" + error.getMessage()
                        + "). Nothing was changed, and the connection was closed. After a failover, retry: the pool"
                        + " connects to the new primary. Else let the pool connect to the primary.";
            default -> "The database of the inventory failed: " + error.getMessage();
        };
    }
}
