package dev.lockstep.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Runs SQL scripts as simple migration tools do: cut at semicolons at the end of a line, one statement after the other. */
final class ScriptRunner {
    private ScriptRunner() {}

    static void run(String script, DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : Stream.of(script.split(";\n", -1))
                    .filter(part -> !part.isBlank())
                    .toList()) {
                statement.execute(sql);
            }
        }
    }
}
