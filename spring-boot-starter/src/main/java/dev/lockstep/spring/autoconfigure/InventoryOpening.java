package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryBuilder;
import dev.lockstep.inventory.InventoryLimits;
import dev.lockstep.inventory.InventoryListener;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.StockKind;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.spring.LockstepStartException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the inventory of an application, and looks whether its tables are there. */
record InventoryOpening(InventoryProperties properties, DataSource dataSource, int workers) {
    Inventory open(ObjectProvider<Locks> locks, ObjectProvider<LockStore> store, List<InventoryListener> listeners) {
        checkDurations();
        try {
            InventoryBuilder builder = configured();
            listeners.forEach(builder::listener);
            if (properties.strategy() == Strategy.LOCKED) {
                builder.lockedBy(locksFor(locks, store));
            }
            if (createsTables()) {
                InventorySchema.on(dataSource).apply();
            }
            return CheckedOpening.checked(
                    builder.build(), made -> made.stock("lockstep-start")); // there need be no such SKU: only the table
        } catch (LockException e) {
            throw failure(e);
        }
    }

    private void checkDurations() {
        SettingRules.positive("inventory.patience", properties.patience(), "5s");
        SettingRules.positive("inventory.answer-within", properties.answerWithin(), "10s");
    }

    private InventoryBuilder configured() {
        InventoryProperties.Limits most = properties.limits();
        return Inventory.builder(dataSource)
                .strategy(properties.strategy())
                .patience(properties.patience())
                .answerWithin(properties.answerWithin())
                .sweepEvery(properties.sweepEvery())
                .workers(workers)
                .limits(new InventoryLimits(most.inFlight(), most.queued(), most.batch(), most.lines()));
    }

    private static Locks locksFor(ObjectProvider<Locks> locks, ObjectProvider<LockStore> store) {
        @Nullable Locks found = locks.getIfAvailable();
        if (found == null) {
            throw new LockstepStartException(
                    "lockstep.inventory.strategy=locked works under locks, and the application has none.",
                    "Write lockstep.store, without lockstep.enabled=false; or choose another strategy.");
        }
        store.ifAvailable(used -> used.declare(KindDefinition.chain(StockKind.LOCATION)));
        return found;
    }

    private boolean createsTables() {
        return properties.createTables() == null ? isInMemory() : properties.createTables();
    }

    private boolean isInMemory() {
        try (Connection connection = dataSource.getConnection()) {
            return String.valueOf(connection.getMetaData().getURL()).startsWith("jdbc:h2:mem:");
        } catch (SQLException e) {
            throw new LockstepStartException(
                    "The database for lockstep.inventory can't be reached: " + e.getMessage() + ".",
                    "Check that the server runs, and that spring.datasource leads to it.",
                    e);
        }
    }

    private static LockstepStartException failure(LockException error) {
        String wayOut = switch (error.code()) {
            case INVALID_REQUEST -> "Correct the settings under lockstep.inventory.";
            case STORE_UNAVAILABLE -> "Check that the server runs, and that spring.datasource leads to it.";
            default ->
                "Have the tables made with lockstep.inventory.create-tables=true or by Flyway, from"
                        + " classpath:db/lockstep-inventory; or write lockstep.inventory.enabled=false.";
        };
        return new LockstepStartException("The inventory can't be used. " + error.getMessage(), wayOut, error);
    }
}
