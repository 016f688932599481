package dev.lockstep.inventory.engine;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.books.Book;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.IdempotencyCheck;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.books.StockRow;
import dev.lockstep.inventory.books.Tables;
import dev.lockstep.inventory.sql.ConflictException;
import dev.lockstep.inventory.sql.DatabaseFailure;
import dev.lockstep.inventory.sql.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reserves in a transaction that the caller has begun, and ends. What it has read and decided is not remembered, as it may be undone. */
record JoinedReservation(Database database, Duration patience) {
    Outcome reserve(Connection connection, PendingCommand work) {
        try {
            requireTransaction(connection);
            return database.join(connection, (tables, own) -> reserve(tables, own, work));
        } catch (SQLException e) {
            throw failure(e, work);
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new InvalidRequestException(
                    "The connection is in autocommit mode, so there is no transaction to reserve"
                            + " in. Nothing was changed. Call setAutoCommit(false) first, or reserve without a connection.");
        }
        if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            throw new InvalidRequestException(
                    "The isolation of the connection must be READ COMMITTED, but was "
                            + connection.getTransactionIsolation()
                            + " of java.sql.Connection: with another, an earlier request may not be seen. Nothing was changed.");
        }
    }

    private static Outcome reserve(Tables tables, Connection connection, PendingCommand work) throws SQLException {
        List<PendingCommand> works = List.of(work);
        List<StockKey> keys = Keys.of(works);
        ReadMode mode = ReadMode.locked(work.deadline());
        Map<StockKey, StockRow> rows = tables.read(connection, keys, mode);
        Book book = tables.open(connection, works, rows, IdempotencyCheck.BY_LOOKUP);
        Outcome outcome = book.apply(work);
        if (book.isChanged()) {
            write(tables, connection, book, mode);
        }
        tables.leave(connection);
        return outcome;
    }

    private static void write(Tables tables, Connection connection, Book book, ReadMode mode) throws SQLException {
        try {
            tables.write(connection, book, mode);
        } catch (ConflictException e) {
            throw new SQLException(e.getMessage(), "40001", e);
        }
    }

    private LockException failure(SQLException error, PendingCommand work) {
        Fault fault = Fault.of(error);
        String rollBack = " Roll the transaction back"
                + (fault == Fault.TIMEOUT || fault == Fault.CONFLICT ? ", and repeat it." : ".");
        return switch (fault) {
            case TIMEOUT ->
                new LockException(
                        ErrorCode.TIMEOUT,
                        "The rows of '" + work.requestId() + "' were not locked within " + patience + "." + rollBack,
                        List.of(),
                        error);
            case CONFLICT, DUPLICATE ->
                new LockException(
                        ErrorCode.CONFLICT,
                        "Another transaction was in the way of '" + work.requestId() + "'." + rollBack,
                        List.of(),
                        error);
            default -> DatabaseFailure.of(error);
        };
    }
}
