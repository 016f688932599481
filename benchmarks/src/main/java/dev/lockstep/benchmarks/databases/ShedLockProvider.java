package dev.lockstep.benchmarks.databases;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.JarName;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.PeerPool;
import dev.lockstep.benchmarks.measure.Population;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;

/**
 * ShedLock's JDBC provider: one exclusive key, no waiting. It commits each statement by itself, so its pool is in autocommit.
 * All keys have their rows before it is measured: afterwards a lock is one update, and so is an unlock.
 */
final class ShedLockProvider implements Contender {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final List<String> names = Population.names();
    private final HikariDataSource pool;
    private final JdbcLockProvider provider;

    ShedLockProvider(LockServer server, HikariDataSource pool) throws SQLException {
        this.pool = pool;
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(server.shedLockTable());
        }
        provider = new JdbcLockProvider(pool);
        names.forEach(this::lockAndRelease);
    }

    @Override
    public String name() {
        return "ShedLock JDBC, one key";
    }

    @Override
    public List<String> configuration() {
        return List.of(
                PeerPool.describe(pool),
                JarName.of(JdbcLockProvider.class) + " with its defaults, lockAtMostFor " + AT_MOST.toSeconds()
                        + " s, lockAtLeastFor 0, " + names.size() + " keys that all have their rows");
    }

    @Override
    public boolean lockAndRelease() {
        return lockAndRelease(Population.anyOf(names));
    }

    private boolean lockAndRelease(String name) {
        Optional<SimpleLock> lock =
                provider.lock(new LockConfiguration(ClockProvider.now(), name, AT_MOST, Duration.ZERO));
        lock.ifPresent(SimpleLock::unlock);
        return lock.isPresent();
    }

    @Override
    public void close() {
        pool.close();
    }
}
