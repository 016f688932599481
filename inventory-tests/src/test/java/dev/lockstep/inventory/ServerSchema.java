package dev.lockstep.inventory;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** The tables on a server. */
abstract class ServerSchema extends SchemaContract {
    private final ServerKind kind;
    private final String clerk =
            "c_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    private TestDatabase database;

    ServerSchema(ServerKind kind) {
        this.kind = kind;
    }

    /** What gives a user the right to read and write all tables. */
    abstract List<String> newUser(String name, String database);

    @Override
    String folder() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    HikariDataSource open() throws SQLException {
        database = TestServers.shared(kind).freshDatabase();
        return pool(database.user(), database.password());
    }

    @Override
    HikariDataSource asClerk() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : newUser(clerk, database.name())) {
                statement.execute(sql);
            }
        }
        return pool(clerk, "secret");
    }

    private HikariDataSource pool(String user, String password) {
        return TestPool.to(database.jdbcUrl(), user, password, 10, TestPool.PATIENT);
    }

    @Override
    void drop() throws SQLException {
        database.close();
        try (Connection connection = TestServers.shared(kind).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP USER IF EXISTS " + clerk);
        }
    }
}
