package dev.lockstep.inventory.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Refuses servers on which several nodes accept writes. There a row lock holds on one node only, so the look-up of a commit whose answer
 * was lost doesn't wait for that commit, and would report a sale as not done that is done a moment later.
 */
public final class SinglePrimary {
    private static final String QUERY = """
            SHOW GLOBAL VARIABLES WHERE
                (Variable_name = 'wsrep_on' AND Value = 'ON')
                OR (Variable_name = 'group_replication_single_primary_mode' AND Value = 'OFF')
            """;

    private SinglePrimary() {}

    public static void require(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet variables = statement.executeQuery(QUERY)) {
            if (variables.next()) {
                throw new LockException(
                        ErrorCode.INVALID_REQUEST,
                        "Several nodes of this database accept writes (" + variables.getString(1) + " is "
                                + variables.getString(2)
                                + "), and their row locks don't hold on each other. Nothing was changed. Keep stock on a"
                                + " server with one primary: no Galera cluster, and no group replication in"
                                + " multi-primary mode.",
                        List.of(),
                        null);
            }
        }
    }
}
