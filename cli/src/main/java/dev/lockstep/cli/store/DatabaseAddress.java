package dev.lockstep.cli.store;

import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.EpochTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database of MySQL, MariaDB or PostgreSQL. It connects when it is first asked for something. */
public final class DatabaseAddress implements StoreAddress {
    static final Optional<String> HIDDEN_ON_POSTGRESQL =
            Optional.of("Grant pg_read_all_stats to the user, and keep track_activities on.");

    private JdbcUrl url;
    private final Optional<String> namespace;
    private @Nullable DatabaseProduct product;
    private @Nullable Pool pool;

    private DatabaseAddress(JdbcUrl url, Optional<String> namespace) {
        this.url = url;
        this.namespace = namespace;
    }

    static DatabaseAddress parse(String url, Credentials credentials, Optional<String> namespace) {
        JdbcUrl parsed = JdbcUrl.parse(url, credentials);
        if (!parsed.isPostgres()) {
            StoreAddress.refuseNamespace(namespace);
        }
        return new DatabaseAddress(parsed, namespace);
    }

    /** What the server says that it is. */
    public DatabaseProduct product() {
        if (product == null) {
            url = url.reachable();
            product = DatabaseProduct.of(url);
        }
        return product;
    }

    /** What the server is by its URL, without a connection. */
    public String productOfUrl() {
        return url.isPostgres() ? "PostgreSQL" : "MySQL";
    }

    /** Connections to the database, closed with this address. */
    public DataSource dataSource() {
        if (pool == null) {
            product(); // what can't be reached shows here, and not after the pool's patience
            pool = Pool.to(url);
        }
        return pool.dataSource();
    }

    /** What another pool needs to get there, after it was reached once. */
    public DatabaseLogin login() {
        product();
        return new DatabaseLogin(url.text(), url.credentials());
    }

    @Override
    public LockStore open() {
        return product() == DatabaseProduct.POSTGRESQL && namespace.isPresent()
                ? AdvisoryLockStore.postgresql(dataSource()).namespace(namespace.get())
                : product().store(dataSource());
    }

    @Override
    public Diagnosis examine() {
        try {
            return product().doctor(dataSource()).examine();
        } catch (LockException e) {
            return new Diagnosis(List.of(Finding.error("There is no connection.", Finding.reason(e))));
        }
    }

    @Override
    public Diagnosis examineSight() {
        return product().doctor(dataSource()).examineVisibility();
    }

    @Override
    public Optional<Set<String>> recordedKinds() {
        if (product() == DatabaseProduct.POSTGRESQL) {
            return Optional.empty();
        }
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT prefix FROM hier_lock_kinds")) {
            Set<String> kinds = new TreeSet<>();
            while (rows.next()) {
                kinds.add(rows.getString(1));
            }
            return Optional.of(kinds);
        } catch (SQLException e) {
            throw JdbcUrl.failure("Reading the kinds of " + url.shown(), e);
        }
    }

    /** Told by the URL, without a connection. */
    @Override
    public Optional<String> whyNothingToProvision() {
        return url.isPostgres()
                ? Optional.of("Locks on PostgreSQL are advisory locks and need no rows: there is nothing to provision.")
                : Optional.empty();
    }

    @Override
    public Scratch scratch(String id, LockKind... kinds) {
        return product() == DatabaseProduct.POSTGRESQL
                ? scratchNamespace(id)
                : ScratchDatabase.create(url, product(), id, kinds);
    }

    /** The same with a register for each of these pairs. */
    Scratch scratchWithRegisters(String id, List<String> pairs, LockKind... kinds) {
        if (product() == DatabaseProduct.POSTGRESQL) {
            ScratchSchema schema = ScratchSchema.create(url, id);
            return withRegisters(schema, schema.dataSource(), pairs);
        }
        ScratchDatabase database = ScratchDatabase.create(url, product(), id, kinds);
        return withRegisters(database, database.dataSource(), pairs);
    }

    private static Scratch withRegisters(Scratch scratch, DataSource connections, List<String> pairs) {
        try {
            pairs.forEach(EpochTable.on(connections)::provision);
            return scratch;
        } catch (RuntimeException e) {
            try {
                scratch.close();
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private Scratch scratchNamespace(String id) {
        String name = "verify-" + id;
        DataSource connections = dataSource();
        return new Scratch() {
            @Override
            public String where() {
                return "the namespace " + name + " of " + DatabaseAddress.this;
            }

            @Override
            public Set<StoreTrait> traits() {
                return product().store(connections).traits();
            }

            @Override
            public LockStore store() {
                return AdvisoryLockStore.postgresql(connections).namespace(name);
            }

            @Override
            public Optional<String> whyOthersAreHidden() {
                return HIDDEN_ON_POSTGRESQL;
            }

            @Override
            public void close() {} // advisory locks leave nothing behind
        };
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @Override
    public String toString() {
        return url.shown();
    }
}
