package dev.lockstep.cli.store;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.AdvisoryLockStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** A namespace of the locks on PostgreSQL, and a schema for a register that nothing else uses. */
final class ScratchSchema implements Scratch {
    private final JdbcUrl url;
    private final String name;
    private final String namespace;
    private final Pool pool;

    private ScratchSchema(JdbcUrl url, String id) {
        this.url = url;
        name = "lockstep_verify_" + id;
        namespace = "verify-" + id;
        pool = Pool.toSchema(url, name);
    }

    static ScratchSchema create(JdbcUrl url, String id) {
        ScratchSchema scratch = new ScratchSchema(url, id);
        scratch.execute("CREATE SCHEMA " + scratch.name);
        return scratch;
    }

    private void execute(String sql) {
        try (Connection connection = url.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '10s'");
            statement.execute(sql);
        } catch (SQLException e) {
            throw JdbcUrl.failure("'" + sql + "'", e);
        }
    }

    DataSource dataSource() {
        return pool.dataSource();
    }

    @Override
    public String where() {
        return "the namespace " + namespace + " and the schema " + name + " of " + url.shown();
    }

    @Override
    public Set<StoreTrait> traits() {
        return AdvisoryLockStore.postgresql(pool.dataSource()).traits();
    }

    @Override
    public LockStore store() {
        return AdvisoryLockStore.postgresql(pool.dataSource()).namespace(namespace);
    }

    @Override
    public Optional<String> whyOthersAreHidden() {
        return DatabaseAddress.HIDDEN_ON_POSTGRESQL;
    }

    @Override
    public void close() {
        pool.close();
        execute("DROP SCHEMA " + name + " CASCADE");
    }
}
