package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
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
import dev.lockstep.jdbc.slots.RowSlots;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.TimeBoundedCall;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.LockTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Locks on MySQL 8 or MariaDB, as row locks of InnoDB.
 *
 * <p>The rows are created once, by {@link Provisioning} or by {@link #provisionIfMissing}. How many there are, and which kinds use them, is
 * recorded in the database, so that two processes can't disagree. Each lease keeps a connection of the {@link DataSource} while it
 * is held; a request that waits in this process needs none. Configure before the first use: each of the configuring methods returns another store.
 */
public final class RowLockStore implements LockStore {
    /** Enough for a first start that takes seconds. */
    private static final int FIRST_BUCKETS = 100_000;

    private static final int MOST_AT_START = 1_000_000;
    private static final int DEFAULT_CONNECTIONS = 16;
    private static final int AS_RECORDED = 0;

    private record Options(
            DataSource dataSource,
            Function<RowTable, InnoDbDialect> dialect,
            int buckets,
            int connections,
            boolean provisions) {}

    /** The store as it works once the tables were read. */
    private record Opened(RowSlots slots, DatabaseStore store) {}

    private final Options options;
    private final ReentrantLock declaring = new ReentrantLock();
    private final Lazy<Opened> opened = new Lazy<>("The store on the database", this::open);
    private final ServerProbe probe;

    private RowLockStore(Options options) {
        this.options = options;
        probe = new ServerProbe(options.dataSource, EpochSql.MYSQL, "");
    }

    /** Locks on this MySQL database. */
    public static RowLockStore mysql(DataSource dataSource) {
        return on(dataSource, MySqlDialect::new);
    }

    /** Locks on this MariaDB database. */
    public static RowLockStore mariadb(DataSource dataSource) {
        return on(dataSource, MariaDbDialect::new);
    }

    private static RowLockStore on(DataSource dataSource, Function<RowTable, InnoDbDialect> dialect) {
        Objects.requireNonNull(dataSource, "dataSource");
        return new RowLockStore(new Options(dataSource, dialect, AS_RECORDED, DEFAULT_CONNECTIONS, false));
    }

    /** The same, if the database has this many buckets for each kind; any other number is refused at the first use. */
    public RowLockStore buckets(int count) {
        if (count < 1) {
            throw new InvalidRequestException("buckets(" + count + ") is not a number of rows. Use one or more.");
        }
        return new RowLockStore(
                new Options(options.dataSource, options.dialect, count, options.connections, options.provisions));
    }

    /** The same with at most this many connections, and so leases at a time; 16 by default. */
    public RowLockStore connections(int most) {
        return new RowLockStore(new Options(
                options.dataSource, options.dialect, options.buckets, SessionPool.checkMost(most), options.provisions));
    }

    /**
     * Creates the tables and the rows for these kinds now if they are missing, and for other kinds when they are first used. For a number of
     * buckets that takes seconds, 100,000 unless {@link #buckets} says otherwise; {@link Provisioning} creates more.
     */
    public RowLockStore provisionIfMissing(LockKind... kinds) {
        if (options.buckets > MOST_AT_START) {
            throw new InvalidRequestException("provisionIfMissing makes at most " + MOST_AT_START
                    + " buckets for each kind, because the application waits for it. Run the command 'lockstep provision', or"
                    + " Provisioning, for " + options.buckets + ".");
        }
        provision(Stream.of(kinds)
                .flatMap(kind -> KindDefinition.chain(kind).stream())
                .distinct()
                .toList());
        return new RowLockStore(
                new Options(options.dataSource, options.dialect, options.buckets, options.connections, true));
    }

    private void provision(List<KindDefinition> definitions) {
        Provisioning provisioning = Provisioning.of(options.dataSource).definitions(definitions);
        (options.buckets == AS_RECORDED
                        ? provisioning.bucketsIfNew(FIRST_BUCKETS)
                        : provisioning.buckets(options.buckets))
                .run();
    }

    // ---- kinds

    private Opened open() {
        LockTables tables = read();
        RowSlots slots = new RowSlots(tables, this::read);
        InnoDbDialect dialect = options.dialect.apply(tables.layout() == Layout.IDS ? RowTable.IDS : RowTable.BUCKETS);
        return new Opened(
                slots,
                new DatabaseStore(options.dataSource, dialect, slots, InnoDbDialect.NAMESPACE, options.connections));
    }

    private LockTables read() {
        boolean interrupted = Thread.interrupted(); // some pools give an interrupted thread no connection
        try {
            LockTables tables = TimeBoundedCall.call(SessionPool.FIRST_WAIT, this::readTables, late -> {});
            if (options.buckets != AS_RECORDED) {
                tables.requireBuckets(options.buckets);
            }
            return tables;
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Reading the lock tables");
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private LockTables readTables() throws SQLException {
        try (BorrowedConnection borrowed = BorrowedConnection.from(options.dataSource)) {
            return LockTables.open(borrowed.connection());
        }
    }

    @Override
    public void declare(List<KindDefinition> definitions) {
        declaring.lock();
        try {
            RowSlots slots = opened.get().slots();
            if (missing(slots, definitions).isEmpty()) {
                return;
            }
            slots.tables(read()); // another process may have provisioned them
            List<KindDefinition> missing = missing(slots, definitions);
            if (!missing.isEmpty()) {
                provisionOrRefuse(missing, definitions);
                slots.tables(read());
            }
        } finally {
            declaring.unlock();
        }
    }

    private static List<KindDefinition> missing(RowSlots slots, List<KindDefinition> definitions) {
        return new ArrayList<>(slots.tables().missing(definitions));
    }

    private void provisionOrRefuse(List<KindDefinition> missing, List<KindDefinition> all) {
        if (!options.provisions) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "No rows are provisioned for " + missing + ". " + LockTables.HOW_TO_PROVISION,
                    List.of(),
                    null);
        }
        provision(all);
    }

    // ---- the store

    private DatabaseStore store() {
        return opened.get().store();
    }

    /**
     * The same locks inside a transaction of the caller's, which must not be in autocommit and must be READ COMMITTED. They end with its
     * commit or rollback. Create one for each transaction.
     */
    public TransactionLocks in(Connection connection) {
        return new TransactionLocks(store(), connection, this::declare);
    }

    @Override
    public String name() {
        return options.dialect.apply(RowTable.BUCKETS).name();
    }

    @Override
    public Set<StoreTrait> traits() {
        return options.dialect.apply(RowTable.BUCKETS).traits();
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return store().acquire(request);
    }

    @Override
    public void cancel(StoreRequest request) {
        opened.ifMade().ifPresent(made -> made.store().cancel(request));
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return store().renew(renewals);
    }

    /** A session's grants are renewed by one call on its connection. */
    @Override
    public Object renewedWith(StoreGrant grant) {
        return ((JdbcGrant) grant).session;
    }

    @Override
    public boolean release(StoreGrant grant) {
        return store().release((JdbcGrant) grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return store().snapshot();
    }

    /** How many requests had to wait, or were refused, only because another key uses the same row, as far as this store could know. */
    public long sharedRowWaits() {
        return opened.ifMade().map(made -> made.store().sharedRowWaits()).orElse(0L);
    }

    /** The rows that {@link #sharedRowWaits} counted most, at most ten; empty where each key has its own row. */
    public List<SharedRow> hottestRows() {
        return opened.ifMade()
                .filter(made -> made.slots().tables().layout() == Layout.BUCKETS)
                .map(made -> made.store().hottestRows())
                .orElse(List.of());
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
        return opened.get().slots().of(new PlannedLock(key, LockMode.EXCLUSIVE)).row();
    }

    @Override
    public void close() {
        probe.close();
        opened.close(made -> made.store().close());
    }
}
