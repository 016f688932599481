package dev.lockstep.jdbc;

import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** What the tests of the doctor have in common. */
final class Doctors {
    private Doctors() {}

    static Doctor of(ServerKind kind, DataSource dataSource) {
        return switch (kind) {
            case MYSQL -> Doctor.mysql(dataSource);
            case MARIADB -> Doctor.mariadb(dataSource);
            default -> Doctor.postgresql(dataSource);
        };
    }

    static void execute(DataSource dataSource, String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
