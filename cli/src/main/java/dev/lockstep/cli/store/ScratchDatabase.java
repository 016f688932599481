package dev.lockstep.cli.store;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.Provisioning;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** Its own database on MySQL or MariaDB, whose lock tables nothing else uses. */
final class ScratchDatabase implements Scratch {
    private static final String DELETE_ROW = """
            DELETE FROM hier_lock_buckets
            WHERE level = (SELECT level FROM hier_lock_kinds WHERE prefix = ?) AND bucket = ?""";

    private final JdbcUrl url;
    private final DatabaseProduct product;
    private final String name;
    private final Pool pool;

    private ScratchDatabase(JdbcUrl url, DatabaseProduct product, String name) {
        this.url = url;
        this.product = product;
        this.name = name;
        pool = Pool.to(url, name);
    }

    static ScratchDatabase create(JdbcUrl url, DatabaseProduct product, String id, LockKind... kinds) {
        String name = "lockstep_verify_" + id;
        execute(url, "CREATE DATABASE " + name);
        ScratchDatabase scratch = new ScratchDatabase(url, product, name);
        try {
            Provisioning.of(scratch.pool.dataSource())
                    .kinds(kinds)
                    .buckets(ROWS)
                    .run();
            return scratch;
        } catch (RuntimeException e) {
            scratch.closeAfter(e);
            throw e instanceof LockException known && known.getCause() instanceof SQLException cause && isRefusal(cause)
                    ? refused("Making the lock tables of the trial", known)
                    : e;
        }
    }

    private void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Waits a moment only for other users of the database. */
    private static void execute(JdbcUrl url, String sql) {
        try (Connection connection = url.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION lock_wait_timeout = 10");
            statement.execute(sql);
        } catch (SQLException e) {
            throw isRefusal(e) ? refused("'" + sql + "'", e) : JdbcUrl.failure("'" + sql + "'", e);
        }
    }

    /** A missing right, and not a full disk or a timeout, which no grant would cure. */
    private static boolean isRefusal(SQLException e) {
        return String.valueOf(e.getSQLState()).startsWith("42");
    }

    private static LockException refused(String doing, Exception why) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                doing + " failed: " + Finding.reason(why)
                        + " The trial needs a scratch database, which it drops at the end."
                        + " Let an administrator run: GRANT ALL ON `lockstep\\_verify\\_%`.* TO your user; or run the trial as a"
                        + " user who may.",
                List.of(),
                why);
    }

    DataSource dataSource() {
        return pool.dataSource();
    }

    @Override
    public String where() {
        return "the database " + name + " of " + url.shown();
    }

    @Override
    public Set<StoreTrait> traits() {
        return product.store(pool.dataSource()).traits();
    }

    @Override
    public LockStore store() {
        return product.store(pool.dataSource());
    }

    @Override
    public Optional<LockRows> rows() {
        return Optional.of(new LockRows() {
            @Override
            public String table() {
                return "hier_lock_buckets";
            }

            @Override
            public void delete(LockKey key) {
                deleteRow(key.kind().prefix(), bucket(key));
            }

            @Override
            public void provision() {
                Provisioning.of(pool.dataSource()).run();
            }
        });
    }

    private void deleteRow(String kind, int bucket) {
        try (Connection connection = pool.dataSource().getConnection();
                PreparedStatement delete = connection.prepareStatement(DELETE_ROW)) {
            delete.setString(1, kind);
            delete.setInt(2, bucket);
            int deleted = delete.executeUpdate();
            if (deleted != 1) {
                throw new LockException(
                        ErrorCode.STORE_FAILED,
                        name + ".hier_lock_buckets has " + deleted + " rows for bucket " + bucket + " of kind '" + kind
                                + "', and should have one.",
                        List.of(),
                        null);
            }
        } catch (SQLException e) {
            throw JdbcUrl.failure("Deleting a row of " + name + ".hier_lock_buckets", e);
        }
    }

    @Override
    public Optional<String> whyOthersAreHidden() {
        return Optional.of(
                "GRANT PROCESS ON *.* to the user, which SHOW ENGINE INNODB STATUS needs. If it is granted, another deadlock on"
                        + " this server came after that of the trial, and the server shows only the latest: try again.");
    }

    @Override
    public void close() {
        pool.close();
        execute(url, "DROP DATABASE " + name);
    }
}
