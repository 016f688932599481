package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.InventoryLimits;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.sql.TimeLimits;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** What tests of other packages use of the engine: limits, and settings that users can't choose. */
public final class EngineAccess {
    public static final int LONGEST_ID = Checks.LONGEST_ID;
    public static final int LONGEST_NAME = Checks.LONGEST_NAME;
    public static final int LONGEST_REASON = Checks.LONGEST_REASON;

    private EngineAccess() {}

    public static boolean accepts(Command command) {
        return Checks.refuse(command, InventoryLimits.DEFAULT).isEmpty();
    }

    /** Deletes what is older, also than a shop could choose. */
    public static RetentionReport retain(DataSource dataSource, Duration keep) {
        return new Retention(database(dataSource), LockClock.system(), keep).run(progress -> {});
    }

    /** Compares the books with this many stocks at a time. */
    public static ReconciliationReport reconcile(DataSource dataSource, int page, Consumer<Discrepancy> found) {
        LockClock clock = LockClock.system();
        InventoryMonitor monitor = new InventoryMonitor(clock, new SoldOut(clock));
        return new Reconciler(database(dataSource), clock, monitor, page).run(found);
    }

    private static Database database(DataSource dataSource) {
        return new Database(dataSource, new TimeLimits(60_000, 60_000));
    }
}
