package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.Doctor;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.spring.StoreDoctor;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Locks on MySQL, MariaDB and PostgreSQL. */
final class DatabaseStoreFactory implements StoreFactory {
    private final LockstepProperties properties;
    private final DataSourceFinder source;
    private final PoolSize pool;

    DatabaseStoreFactory(LockstepProperties properties, DataSourceFinder source, PoolSize pool) {
        this.properties = properties;
        this.source = source;
        this.pool = pool;
    }

    @Override
    public boolean makes(StoreType type) {
        return type == StoreType.MYSQL || type == StoreType.MARIADB || type == StoreType.POSTGRESQL;
    }

    @Override
    public LockStore open(StoreType type, Kinds kinds) {
        DataSource dataSource = source.find(type);
        int connections = connections(dataSource);
        return switch (type) {
            case MYSQL -> rows(RowLockStore.mysql(dataSource).connections(connections), kinds);
            case MARIADB -> rows(RowLockStore.mariadb(dataSource).connections(connections), kinds);
            case POSTGRESQL ->
                properties.namespace() == null
                        ? AdvisoryLockStore.postgresql(dataSource).connections(connections)
                        : AdvisoryLockStore.postgresql(dataSource)
                                .connections(connections)
                                .namespace(properties.namespace());
            default -> throw new IllegalArgumentException(type.text());
        };
    }

    private RowLockStore rows(RowLockStore store, Kinds kinds) {
        RowLockStore sized = properties.buckets() == null ? store : store.buckets(properties.buckets());
        return Boolean.TRUE.equals(properties.provisionIfMissing())
                ? sized.provisionIfMissing(ConfiguredKinds.all(kinds))
                : sized;
    }

    @Override
    public StoreDoctor doctor(StoreType type) {
        DataSource dataSource = source.find(type);
        Doctor doctor = switch (type) {
            case MYSQL -> Doctor.mysql(dataSource);
            case MARIADB -> Doctor.mariadb(dataSource);
            default -> Doctor.postgresql(dataSource);
        };
        return doctor.connections(connections(dataSource))::examine;
    }

    /** How many leases the store has connections for; empty for a store that isn't on a database. */
    OptionalInt leases(StoreType type) {
        return makes(type) ? OptionalInt.of(connections(source.find(type))) : OptionalInt.empty();
    }

    private int connections(DataSource dataSource) {
        boolean paired = properties.fallback().store() != null;
        return LockConnections.of(properties.connections(), pool.of(dataSource), source.isShared(), paired);
    }
}
