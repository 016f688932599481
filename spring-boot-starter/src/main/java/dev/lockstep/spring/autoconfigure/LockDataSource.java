package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Finds the DataSource for locks: the one that is marked for them, else the application's. */
final class LockDataSource implements DataSourceFinder {
    private final ObjectProvider<DataSource> marked;
    private final ObjectProvider<DataSource> all;

    LockDataSource(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
        this.marked = marked;
        this.all = all;
    }

    @Override
    public boolean isShared() {
        return marked.stream().findAny().isEmpty();
    }

    @Override
    public DataSource find(StoreType type) {
        long own = marked.stream().count();
        if (own > 1) {
            throw new LockstepStartException(
                    own + " beans are marked with @LockstepDataSource.", "Mark the one that locks shall use.");
        }
        @Nullable DataSource found = own == 1 ? marked.getObject() : all.getIfUnique();
        if (found == null) {
            throw missing(type, all.stream().count());
        }
        return found;
    }

    private static LockstepStartException missing(StoreType type, long candidates) {
        String wanted = "lockstep.store=" + type.text() + " needs a DataSource, and ";
        return candidates == 0
                ? new LockstepStartException(
                        wanted + "there is none.",
                        "Write spring.datasource.url, with spring-boot-starter-jdbc and the driver of the database on the"
                                + " class path; or choose another lockstep.store.")
                : new LockstepStartException(
                        wanted + "there are " + candidates + ", none of them primary.",
                        "Mark the one that locks shall use with @LockstepDataSource.");
    }
}
