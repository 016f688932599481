package dev.lockstep.server.inventory;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.Answered;
import dev.lockstep.inventory.InventoryFigures;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StrategyView;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The stock that was touched last on this server, as its responses said; at most this many, and the last alerts. */
@Component
final class StockBoard implements DisposableBean {
    private static final int MOST_ROWS = 200;
    private static final int MOST_ALERTS = 50;

    private final Inventory inventory;
    private final Locks.Subscription subscription;
    private final Map<StockKey, BoardRow> rows = new LinkedHashMap<>(64, 0.75f, true);
    private final Deque<InventoryView.AlertView> alerts = new ArrayDeque<>();

    StockBoard(Inventory inventory) {
        this.inventory = inventory;
        subscription = inventory.subscribe(this::on);
    }

    private void on(InventoryEvent event) {
        if (event instanceof Answered answered) {
            answered(answered.outcome(), answered.at().getEpochSecond());
        } else if (event instanceof Alert alert) {
            alert(new InventoryView.AlertView(
                    alert.at(), alert.getClass().getSimpleName(), ReservationNames.messageOf(alert)));
        }
    }

    private synchronized void answered(Outcome outcome, long second) {
        if (outcome instanceof Accepted accepted) {
            for (Change change : accepted.changes()) {
                BoardRow row = row(change.key());
                row.saw(change.after());
                row.answered(second);
            }
        } else if (outcome instanceof OutOfStock out) {
            for (Shortage shortage : out.shortages()) {
                row(shortage.key()).answered(second);
            }
        }
    }

    private synchronized void alert(InventoryView.AlertView alert) {
        alerts.addFirst(alert);
        if (alerts.size() > MOST_ALERTS) {
            alerts.removeLast();
        }
    }

    /** The stock was looked up. */
    synchronized void saw(List<Stock> stocks) {
        stocks.forEach(stock -> row(stock.key()).saw(stock));
    }

    private BoardRow row(StockKey key) {
        BoardRow row = rows.computeIfAbsent(key, BoardRow::new);
        if (rows.size() > MOST_ROWS) {
            rows.remove(rows.keySet().iterator().next());
        }
        return row;
    }

    /** What is on the board. It blocks: stock that was only ever short is looked up. */
    InventoryView view() {
        unknown().forEach(key -> inventory.stock(key).ifPresent(stock -> saw(List.of(stock))));
        Map<StockKey, StrategyView> ways =
                inventory.strategies().stream().collect(Collectors.toMap(StrategyView::key, Function.identity()));
        return view(ways, Instant.now());
    }

    private synchronized List<StockKey> unknown() {
        return rows.values().stream()
                .filter(row -> !row.isKnown())
                .map(BoardRow::key)
                .toList();
    }

    private synchronized InventoryView view(Map<StockKey, StrategyView> ways, Instant now) {
        List<InventoryView.Row> shown = new ArrayList<>();
        rows.forEach((key, row) -> shown.add(row.view(ways.get(key), now.getEpochSecond())));
        Collections.reverse(shown);
        return new InventoryView(now, shown, figures(inventory.figures()), List.copyOf(alerts));
    }

    private static InventoryView.Figures figures(InventoryFigures counted) {
        Map<String, Long> outcomes = new TreeMap<>();
        counted.outcomes().forEach((name, count) -> outcomes.put(Wire.name(name), count));
        return new InventoryView.Figures(
                outcomes,
                counted.attempts(),
                counted.conflicts(),
                counted.transactions(),
                counted.commands(),
                counted.inFlight());
    }

    @Override
    public void destroy() {
        subscription.close();
    }
}
