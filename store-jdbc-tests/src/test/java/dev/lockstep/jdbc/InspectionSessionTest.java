package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.ServerSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What one session finds out about another. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class InspectionSessionTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    /** Connections that differ in how their sessions show a time. */
    private static DataSource inSeveralZones(DataSource real) {
        List<String> zones = List.of("UTC", "Asia/Tokyo", "America/New_York");
        AtomicInteger opened = new AtomicInteger();
        return new DelegatingDataSource(real) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET TIME ZONE '" + zones.get(opened.getAndIncrement() % zones.size()) + "'");
                }
                return connection;
            }
        };
    }

    @Test
    void aSessionIsFoundAliveWhateverItsTimeZone() throws Exception {
        try (LockDatabase database = LockDatabase.on(Server.POSTGRES);
                SessionPool pool =
                        new SessionPool(inSeveralZones(database.dataSource()), new PostgresDialect("zones"), 4);
                InspectionSession inspection = new InspectionSession(pool, "zones")) {
            LockSession session = pool.connect(LONG);
            assertThat(inspection.isAlive(session)).contains(true);
            pool.returnUnused(List.of(session));
        }
    }

    @Test
    void whetherASessionOfAnotherServerLivesIsUnknown() throws Exception {
        try (LockDatabase database = LockDatabase.on(Server.POSTGRES);
                SessionPool pool = new SessionPool(database.dataSource(), new PostgresDialect("servers"), 4);
                InspectionSession inspection = new InspectionSession(pool, "servers")) {
            LockSession elsewhere = LockSession.on(
                    BorrowedConnection.from(database.dataSource()),
                    new ServerSession(1, "another server", "", "mark"),
                    LONG,
                    List.of());
            assertThat(inspection.isAlive(elsewhere)).isEmpty();
            elsewhere.abort();
        }
    }
}
