package dev.lockstep.benchmarks.measure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.testservers.TestDatabase;
import java.util.Map;

/** The connection pools of the peers: a connection for each thread, set up once so that no call pays for it. */
public final class PeerPool {
    private PeerPool() {}

    /** For those who work in transactions: autocommit is off already, and the isolation is the one they ask for. */
    public static HikariDataSource transactional(TestDatabase database, String url, Map<String, String> driver) {
        return open(database, url, driver, false);
    }

    /** For those who commit each statement by itself. */
    public static HikariDataSource autocommit(TestDatabase database, String url, Map<String, String> driver) {
        return open(database, url, driver, true);
    }

    private static HikariDataSource open(
            TestDatabase database, String url, Map<String, String> driver, boolean autocommit) {
        HikariConfig config = config(url, database.user(), database.password(), driver);
        config.setMaximumPoolSize(Load.THREADS);
        config.setAutoCommit(autocommit);
        return new HikariDataSource(config);
    }

    /** Connections for transactions, for all who sell in one shop. */
    public static HikariDataSource shared(
            String url, String user, String password, Map<String, String> driver, int size) {
        HikariConfig config = config(url, user, password, driver);
        config.setMaximumPoolSize(size);
        config.setAutoCommit(false);
        return new HikariDataSource(config);
    }

    private static HikariConfig config(String url, String user, String password, Map<String, String> driver) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        driver.forEach(config::addDataSourceProperty);
        return config;
    }

    public static String describe(HikariDataSource pool) {
        return "%s of %d connections, autocommit %s, READ COMMITTED preset, driver %s"
                .formatted(
                        JarName.of(HikariDataSource.class),
                        pool.getMaximumPoolSize(),
                        pool.isAutoCommit() ? "on" : "off",
                        pool.getDataSourceProperties().isEmpty()
                                ? "with its defaults"
                                : "with " + pool.getDataSourceProperties());
    }
}
