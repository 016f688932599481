package dev.lockstep.inventory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** A pool to any address, which need not answer yet. */
public final class TestPool {
    /** What requests wait for a connection that must get one, however long the machine stands still. */
    public static final Duration PATIENT = Duration.ofMinutes(2);

    private TestPool() {}

    public static HikariDataSource to(String url, String user, String password) {
        return to(url, user, password, 16, PATIENT);
    }

    public static HikariDataSource to(String url, String user, String password, int size, Duration connectWithin) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(connectWithin.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
