package dev.lockstep.benchmarks.databases;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.PeerPool;
import dev.lockstep.testservers.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** All who run against one another on one database, over one way to it. */
final class Field implements AutoCloseable {
    private static final int OURS = 0;
    private static final int SELECT_PER_LEVEL = 1;
    private static final int SPRING_REGISTRY = 2;
    private static final int SHED_LOCK = 3;
    private static final int ONE_KEY = 4;
    private static final int PREPARED_SELECTS = 5;

    private final List<Contender> all = new ArrayList<>();

    private Field() {}

    /** All contenders; creates the tables, too. */
    static Field near(LockServer server, TestDatabase database) throws SQLException {
        DataSource direct = unpooled(database, database.jdbcUrl());
        server.provision(direct);
        Field field = new Field();
        try {
            field.all.add(LockstepContender.threeLevels(server, direct));
            field.all.add(new SelectPerLevel(server, transactional(server, database, database.jdbcUrl())));
            field.all.add(new SpringLockRegistry(server, transactional(server, database, database.jdbcUrl())));
            field.all.add(new ShedLockProvider(
                    server, PeerPool.autocommit(database, database.jdbcUrl(), server.peerDriver())));
            field.all.add(LockstepContender.oneKey(server, direct));
            field.all.add(new SelectPerLevel(
                    "one select per level, prepared on the server",
                    server,
                    PeerPool.transactional(database, database.jdbcUrl(), server.preparingDriver())));
            return field;
        } catch (SQLException | RuntimeException e) {
            field.close();
            throw e;
        }
    }

    /** Only those whose round trips count, through a proxy and on the tables of {@link #near}. */
    static Field far(LockServer server, TestDatabase database, String url) {
        Field field = new Field();
        field.all.add(LockstepContender.threeLevels(server, unpooled(database, url)));
        field.all.add(new SelectPerLevel(server, transactional(server, database, url)));
        return field;
    }

    private static DataSource unpooled(TestDatabase database, String url) {
        return new DriverManagerDataSource(url, database.user(), database.password());
    }

    private static HikariDataSource transactional(LockServer server, TestDatabase database, String url) {
        return PeerPool.transactional(database, url, server.peerDriver());
    }

    List<Contender> all() {
        return List.copyOf(all);
    }

    Contender ours() {
        return all.get(OURS);
    }

    Contender selectPerLevel() {
        return all.get(SELECT_PER_LEVEL);
    }

    /** The same with statements that are prepared on the server. */
    Contender preparedSelects() {
        return all.get(PREPARED_SELECTS);
    }

    Contender springRegistry() {
        return all.get(SPRING_REGISTRY);
    }

    Contender shedLock() {
        return all.get(SHED_LOCK);
    }

    /** Lockstep with one key, as the peers of one key have it. */
    Contender oneKey() {
        return all.get(ONE_KEY);
    }

    @Override
    public void close() {
        all.forEach(Contender::close);
    }
}
