package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Strategy;
import java.util.List;
import javax.sql.DataSource;

/** The ways to reserve that are measured side by side. */
enum SellingWay {
    OPTIMISTIC("optimistic"),
    FOR_UPDATE("FOR UPDATE"),
    GUARDED_UPDATE("guarded UPDATE"),
    COMBINING("combining"),
    GROUP_COMMIT("group commit"),
    ADAPTIVE("adaptive");

    /** Those that are made for one hot SKU, or are compared with them. */
    static final List<SellingWay> ON_ONE_SKU = List.of(OPTIMISTIC, FOR_UPDATE, GUARDED_UPDATE, COMBINING, ADAPTIVE);

    /** Those of Lockstep, without what is written by hand. */
    static final List<SellingWay> STRATEGIES = List.of(OPTIMISTIC, FOR_UPDATE, COMBINING, ADAPTIVE);

    private final String title;

    SellingWay(String title) {
        this.title = title;
    }

    /** A new seller with its defaults, who has seen nothing yet. */
    Seller open(DataSource pool) {
        return switch (this) {
            case OPTIMISTIC -> inventory(Strategy.OPTIMISTIC, pool);
            case FOR_UPDATE -> inventory(Strategy.PESSIMISTIC, pool);
            case GUARDED_UPDATE -> new GuardedUpdate(pool);
            case COMBINING -> inventory(Strategy.COMBINING, pool);
            case GROUP_COMMIT -> inventory(Strategy.GROUP_COMMIT, pool);
            case ADAPTIVE -> inventory(Strategy.ADAPTIVE, pool);
        };
    }

    private static Seller inventory(Strategy strategy, DataSource pool) {
        return new InventorySeller(Inventory.builder(pool).strategy(strategy).build());
    }

    /** What it does, for the reader to judge whether it is at its best. */
    String description() {
        return switch (this) {
            case OPTIMISTIC -> "Strategy.OPTIMISTIC, tries again after 100, 200 and 400 ms";
            case FOR_UPDATE -> "Strategy.PESSIMISTIC";
            case GUARDED_UPDATE ->
                "by hand: UPDATE with the condition, INSERT ... SELECT of the ledger's row, INSERT of the reservation, commit";
            case COMBINING -> "Strategy.COMBINING with its defaults";
            case GROUP_COMMIT -> "Strategy.GROUP_COMMIT with its defaults";
            case ADAPTIVE -> "Strategy.ADAPTIVE with its defaults";
        };
    }

    @Override
    public String toString() {
        return title;
    }
}
