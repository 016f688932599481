package dev.lockstep.spring.autoconfigure;

import javax.sql.DataSource;

/** Finds the DataSource of a store. */
interface DataSourceFinder {
    DataSource find(StoreType type);

    /** Whether the application works with it, too. */
    boolean isShared();
}
