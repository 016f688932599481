package dev.lockstep.jdbc;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.Lazy;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.jdbc.epochs.EpochSql;
import dev.lockstep.jdbc.epochs.ServerProbe;
import dev.lockstep.jdbc.slots.AdvisorySlots;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Locks on PostgreSQL, as advisory locks of a transaction. Needs no table, no provisioning and no privilege.
 *
 * <p>Each lease keeps a connection of the {@link DataSource} while it is held; a request that waits in this process needs none. One more
 * connection, or another for every forty kinds or so, advertises the kinds of this process and reads those of others:
 * a kind that a live process of the same namespace declares differently is refused. Configure before the first use: each of the configuring methods returns another store.
 */
public final class AdvisoryLockStore implements LockStore {
    private static final int DEFAULT_CONNECTIONS = 16;

    private final DataSource dataSource;
    private final String namespace;
    private final int connections;
    private final Lazy<DatabaseStore> store;
    private final Lazy<KindAdvertisement> kinds;
    private final ServerProbe probe;

    private AdvisoryLockStore(DataSource dataSource, String namespace, int connections) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.namespace = namespace;
        this.connections = connections;
        probe = new ServerProbe(dataSource, EpochSql.POSTGRESQL, namespace);
        store = new Lazy<>("The store on the database", this::open);
        kinds = new Lazy<>("The store on the database", () -> store.get().kindAdvertisement());
    }

    /** Locks on this database, in the namespace {@code lockstep}. */
    public static AdvisoryLockStore postgresql(DataSource dataSource) {
        return new AdvisoryLockStore(dataSource, "lockstep", DEFAULT_CONNECTIONS);
    }

    /** The same in another namespace: locks of two namespaces never meet. */
    public AdvisoryLockStore namespace(String name) {
        if (name.isBlank()) {
            throw new InvalidRequestException("A namespace needs a name, such as 'orders'.");
        }
        return new AdvisoryLockStore(dataSource, name, connections);
    }

    /** The same with at most this many connections, and so leases at a time; 16 by default. */
    public AdvisoryLockStore connections(int most) {
        return new AdvisoryLockStore(dataSource, namespace, SessionPool.checkMost(most));
    }

    private DatabaseStore open() {
        return new DatabaseStore(
                dataSource, new PostgresDialect(namespace), new AdvisorySlots(namespace), namespace, connections);
    }

    /**
     * The same locks inside a transaction of the caller's, which must not be in autocommit and must be READ COMMITTED. They end with its
     * commit or rollback. Create one for each transaction.
     */
    public TransactionLocks in(Connection connection) {
        return new TransactionLocks(store.get(), connection, this::declare);
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public Set<StoreTrait> traits() {
        return new PostgresDialect(namespace).traits();
    }

    @Override
    public void declare(List<KindDefinition> definitions) {
        kinds.get().declare(definitions);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return store.get().acquire(request);
    }

    @Override
    public void cancel(StoreRequest request) {
        store.ifMade().ifPresent(made -> made.cancel(request));
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return store.get().renew(renewals);
    }

    /** A session's grants are renewed by one call on its connection. */
    @Override
    public Object renewedWith(StoreGrant grant) {
        return ((JdbcGrant) grant).session;
    }

    @Override
    public boolean release(StoreGrant grant) {
        return store.get().release((JdbcGrant) grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return store.get().snapshot();
    }

    @Override
    public void ping() {
        probe.ping();
    }

    @Override
    public Optional<String> identity() {
        return Optional.of(probe.identity());
    }

    /** A row of the table that {@link EpochTable} creates. It uses one more connection. */
    @Override
    public Optional<EpochRegister> epochs(String name) {
        return Optional.of(probe.epochs(name));
    }

    /** Rows of the table {@code lockstep_numbers}, which is created when it is first needed. They use the same connection as {@link #epochs}. */
    @Override
    public Optional<SharedNumbers> numbers() {
        return Optional.of(probe.numbers());
    }

    @Override
    public Object lockedFor(LockKey key) {
        return store.get().slots().of(new PlannedLock(key, LockMode.EXCLUSIVE)).row();
    }

    @Override
    public void close() {
        probe.close();
        store.close(DatabaseStore::close);
    }
}
