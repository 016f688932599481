package dev.lockstep.jdbc;

import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** What the tests of the doctor have in common. */
final class Doctors {
    /** A machine may stand still for longer than a doctor waits for an answer. */
    private static final Duration PATIENT = Duration.ofMinutes(2);

    private Doctors() {}

    static Doctor of(ServerKind kind, DataSource dataSource) {
        Doctor doctor = switch (kind) {
            case MYSQL -> Doctor.mysql(dataSource);
            case MARIADB -> Doctor.mariadb(dataSource);
            default -> Doctor.postgresql(dataSource);
        };
        return doctor.responseTimeout(PATIENT);
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
