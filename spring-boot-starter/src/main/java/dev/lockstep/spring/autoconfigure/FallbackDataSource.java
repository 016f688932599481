package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the DataSource of the fallback: the bean of the configured name, else the one that locks would use if Redis were not their store. */
final class FallbackDataSource implements DataSourceFinder {
    private final LockstepProperties properties;
    private final LockDataSource usual;
    private final ListableBeanFactory beans;

    FallbackDataSource(LockstepProperties properties, LockDataSource usual, ListableBeanFactory beans) {
        this.properties = properties;
        this.usual = usual;
        this.beans = beans;
    }

    /** One that is named may be the application's, too; then half of the pool is enough for locks. */
    @Override
    public boolean isShared() {
        @Nullable String name = properties.fallback().dataSource();
        return name == null ? usual.isShared() : isCandidate(name);
    }

    private boolean isCandidate(String name) {
        @Nullable DataSource unnamed = beans.getBeanProvider(DataSource.class).getIfUnique();
        return unnamed != null && unnamed == beans.getBean(name);
    }

    @Override
    public DataSource find(StoreType type) {
        @Nullable String name = properties.fallback().dataSource();
        @Nullable StoreType main = properties.store();
        if (main == null || !FallbackSettings.isDatabase(main)) {
            return name == null ? unnamed(type) : named(name);
        }
        return beside(main, type, name);
    }

    /** Where the main store is on a database, too. */
    private DataSource beside(StoreType main, StoreType type, @Nullable String name) {
        if (name == null) {
            throw new LockstepStartException(
                    "lockstep.fallback.store=" + type.text()
                            + " needs a separate DataSource: the application's is for the main store, "
                            + main.text() + ".",
                    "Write lockstep.fallback.data-source= and the name of a bean that leads to another server.");
        }
        DataSource found = named(name);
        if (found == usual.find(main)) {
            throw new LockstepStartException(
                    "lockstep.fallback.data-source=" + name
                            + " is the DataSource of the main store, so when one is unreachable the other is too.",
                    "Name a bean that leads to another server, or take lockstep.fallback away.");
        }
        return found;
    }

    private DataSource unnamed(StoreType type) {
        try {
            return usual.find(type);
        } catch (LockstepStartException e) {
            throw new LockstepStartException(
                    "lockstep.fallback.store=" + type.text() + " needs a DataSource. "
                            + e.description().replaceFirst("^lockstep\\.store=\\w+ needs a DataSource, and ", "Here "),
                    "Write spring.datasource.url, or lockstep.fallback.data-source= and the name of a bean.",
                    e);
        }
    }

    private DataSource named(String name) {
        String[] known = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class);
        if (Stream.of(known).noneMatch(name::equals)) {
            throw new LockstepStartException(
                    "lockstep.fallback.data-source=" + name + " names no bean of type DataSource.",
                    known.length == 0
                            ? "Define such a bean. The application has none."
                            : "Write one of: " + Stream.of(known).sorted().collect(Collectors.joining(", ")) + ".");
        }
        return beans.getBean(name, DataSource.class);
    }
}
