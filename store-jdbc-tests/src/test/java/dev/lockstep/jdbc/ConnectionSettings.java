package dev.lockstep.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The settings of a connection that a store changes, or might. */
final class ConnectionSettings {
    private ConnectionSettings() {}

    static List<String> of(Connection connection, Server server) throws SQLException {
        List<String> settings = new ArrayList<>();
        settings.add("autocommit " + connection.getAutoCommit());
        settings.add("isolation " + connection.getTransactionIsolation());
        settings.add("network timeout " + connection.getNetworkTimeout());
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query(server))) {
            while (row.next()) {
                settings.add(row.getString(1) + " " + row.getString(2));
            }
        }
        return settings;
    }

    private static String query(Server server) {
        return switch (server) {
            case POSTGRES ->
                "SELECT name, setting FROM pg_settings WHERE name LIKE '%timeout%' OR name LIKE '%isolation%'"
                        + " UNION ALL SELECT 'mark', coalesce(current_setting('lockstep.session', true), '')"
                        + " ORDER BY 1";
            case MYSQL, MARIADB ->
                "SHOW SESSION VARIABLES WHERE Variable_name LIKE '%timeout%' OR Variable_name LIKE '%isolation%'"
                        + " OR Variable_name IN ('autocommit', 'time_zone')";
        };
    }
}
