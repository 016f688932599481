package dev.lockstep.jdbc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Stores of one namespace that stand for processes, and a look at what they show on the server. */
final class AdvertisementScene implements AutoCloseable {
    private static final Logger ADVERTISEMENT_LOG = (Logger) LoggerFactory.getLogger(KindAdvertisement.class);

    final String namespace = UUID.randomUUID().toString();
    private final TestServer server = TestServers.postgres();
    private final List<Runnable> closers = new ArrayList<>();
    private final List<String> roles = new ArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    AdvertisementScene() {
        log.start();
        ADVERTISEMENT_LOG.addAppender(log);
    }

    static KindDefinition kind(String prefix, int rank) {
        return new KindDefinition(prefix, rank, Optional.empty(), 0, false);
    }

    DataSource dataSource() {
        return Databases.of(server);
    }

    AdvisoryLockStore store() {
        return store(dataSource(), namespace);
    }

    AdvisoryLockStore store(DataSource dataSource, String name) {
        AdvisoryLockStore store = AdvisoryLockStore.postgresql(dataSource).namespace(name);
        closers.add(store::close);
        return store;
    }

    /** A board without housekeeping, which is checked only when the test says so. */
    KindAdvertisement quietAdvertisement() {
        return quietAdvertisement(inspection());
    }

    KindAdvertisement quietAdvertisement(InspectionSession inspection) {
        KindAdvertisement advertisement = new KindAdvertisement(inspection, namespace);
        inspection.listener(advertisement);
        return advertisement;
    }

    InspectionSession inspection() {
        SessionPool pool = new SessionPool(dataSource(), new PostgresDialect(namespace), 1);
        InspectionSession inspection = new InspectionSession(pool, namespace);
        closers.add(pool::close);
        closers.add(inspection::close);
        return inspection;
    }

    /** A user without privileges. */
    DataSource newUser(String options) throws SQLException {
        String role = "r_" + UUID.randomUUID().toString().replace("-", "");
        execute("CREATE ROLE " + role + " LOGIN PASSWORD 'secret' " + options);
        roles.add(role);
        return new DriverManagerDataSource(server.jdbcUrl(), role, "secret");
    }

    /** The server's ids of the sessions on the board. */
    List<String> sessions() throws SQLException {
        return query("SELECT pid FROM pg_stat_activity WHERE " + withAdvertisement());
    }

    /** What the sessions on the board say. */
    List<String> shown() throws SQLException {
        return query("SELECT query FROM pg_stat_activity WHERE " + withAdvertisement());
    }

    void killAll() throws SQLException {
        kill(withAdvertisement());
    }

    void kill(String condition) throws SQLException {
        query("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE " + condition);
    }

    String withAdvertisement() {
        return "pid <> pg_backend_pid() AND query LIKE '/*lockstep-kinds " + namespace + " %'";
    }

    List<String> logged(Level level) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(message -> level == Level.ERROR || message.contains(namespace))
                .toList();
    }

    List<String> query(String sql) throws SQLException {
        List<String> responds = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                responds.add(row.getString(1));
            }
        }
        return responds;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        ADVERTISEMENT_LOG.detachAppender(log);
        closers.forEach(Runnable::run);
        for (String role : roles) {
            execute("DROP ROLE " + role);
        }
    }
}
