package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StrategyView;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One stock on the board: what it was last, and how many answers it got in each of the last seconds. */
final class BoardRow {
    private static final int SECONDS = 10;

    private final StockKey key;
    private final long[] answers = new long[SECONDS];
    private @Nullable Stock stock;
    private long latest;

    BoardRow(StockKey key) {
        this.key = key;
    }

    StockKey key() {
        return key;
    }

    boolean isKnown() {
        return stock != null;
    }

    /** Answers come in any order; the higher version is the newer. */
    void saw(Stock seen) {
        if (stock == null || seen.version() >= stock.version()) {
            stock = seen;
        }
    }

    void answered(long second) {
        turnTo(second);
        answers[Math.floorMod(second, SECONDS)]++;
    }

    private void turnTo(long second) {
        if (second - latest >= SECONDS) {
            Arrays.fill(answers, 0);
            latest = second;
        }
        while (latest < second) {
            latest++;
            answers[Math.floorMod(latest, SECONDS)] = 0;
        }
    }

    private double perSecond(long second) {
        turnTo(second);
        return Arrays.stream(answers).sum() / (double) SECONDS;
    }

    InventoryView.Row view(@Nullable StrategyView way, long second) {
        Stock now = stock == null ? new Stock(key, 0, 0, 0) : stock;
        return new InventoryView.Row(
                key.sku(),
                key.location(),
                now.physical(),
                now.allocated(),
                now.available(),
                now.version(),
                way == null ? null : way.strategy().name().toLowerCase(Locale.ROOT),
                way == null ? null : way.why(),
                way == null ? 0 : way.conflictRate(),
                way == null ? 0 : way.company(),
                perSecond(second));
    }
}
