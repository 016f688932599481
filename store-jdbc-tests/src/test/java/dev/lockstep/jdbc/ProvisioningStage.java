package dev.lockstep.jdbc;

import dev.lockstep.jdbc.tables.LockTables;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An empty database on each real server that has row locks. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB"})
abstract class ProvisioningStage {
    @Parameter
    ServerKind server;

    TestDatabase database;
    DataSource dataSource;

    @BeforeEach
    void createDatabase() throws SQLException {
        database = TestServers.shared(server).freshDatabase();
        dataSource = Databases.of(database);
    }

    @AfterEach
    void dropDatabase() throws SQLException {
        database.close();
    }

    /** Three levels of 250 rows, in chunks of 100. */
    Provisioning tenancy() {
        return Provisioning.of(dataSource).kinds(Tenancy.values()).buckets(250).chunk(100);
    }

    LockTables tables() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return LockTables.open(connection);
        }
    }

    int execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** The rows of a query, the columns joined by blanks. */
    List<String> rows(String query) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<String> rows = new ArrayList<>();
            while (row.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    columns.add(String.valueOf(row.getString(i)));
                }
                rows.add(String.join(" ", columns));
            }
            return rows;
        }
    }
}
