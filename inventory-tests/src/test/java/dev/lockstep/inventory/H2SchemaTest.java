package dev.lockstep.inventory;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("once")
class H2SchemaTest extends SchemaContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

    @Override
    HikariDataSource open() {
        return pool(url + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    @Override
    HikariDataSource asClerk() throws SQLException {
        try (HikariDataSource admin = open();
                Connection connection = admin.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER clerk PASSWORD 'secret'");
            statement.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA public TO clerk");
        }
        return pool(url, "clerk", "secret");
    }

    private static HikariDataSource pool(String url, String user, String password) {
        return TestPool.to(url, user, password, 10, TestPool.PATIENT);
    }

    @Override
    void drop() {}

    @Override
    String folder() {
        return "h2";
    }
}
