package dev.lockstep.server.events;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.Answered;
import dev.lockstep.inventory.InventoryEvent.Dropped;
import dev.lockstep.inventory.InventoryEvent.StrategyChanged;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.server.inventory.ReservationNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Events of stock in plain words. */
final class StockNews {
    private static final int NAMED = 3;

    private StockNews() {}

    /** Nothing for events that people have no use for. */
    static Optional<News> of(InventoryEvent event) {
        if (event instanceof Answered answered) {
            return Optional.of(of(answered));
        }
        if (event instanceof StrategyChanged changed) {
            String way = changed.to().name().toLowerCase(Locale.ROOT);
            String text = changed.key() + " is changed in another way, " + way + ": " + changed.why();
            return Optional.of(News.of(EventType.STRATEGY_CHANGED, event.at(), text)
                    .about(changed.key())
                    .outcome(way));
        }
        if (event instanceof Alert alert) {
            return Optional.of(News.of(EventType.ALERT, event.at(), ReservationNames.messageOf(alert))
                    .outcome(alert.getClass().getSimpleName()));
        }
        if (event instanceof Dropped dropped) {
            long missed = dropped.count();
            return Optional.of(
                    News.gap(event.at(), missed, missed + " events of stock came faster than they could be sent"));
        }
        return Optional.empty();
    }

    private static News of(Answered answered) {
        String text = asked(answered.command()) + ": " + name(answered.outcome()) + " after "
                + answered.took().toMillis() + " ms" + more(answered.outcome());
        News news = News.of(EventType.ANSWERED, answered.at(), text).outcome(name(answered.outcome()));
        return key(answered).map(news::about).orElse(news);
    }

    /** The first stock that an answer is about. */
    static Optional<StockKey> key(Answered answered) {
        if (answered.outcome() instanceof Accepted accepted
                && !accepted.changes().isEmpty()) {
            return Optional.of(accepted.changes().get(0).key());
        }
        List<StockLine> lines = lines(answered.command());
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(0).key());
    }

    /** {@code OutOfStock} is out-of-stock. */
    private static String name(Outcome outcome) {
        return outcome.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }

    private static String more(Outcome outcome) {
        if (outcome instanceof Rejected rejected) {
            return ". " + rejected.message(Locale.ENGLISH); // its detail has ids
        }
        return outcome instanceof OutOfStock out && !out.shortages().isEmpty()
                ? ", " + out.shortages().get(0).available() + " left of "
                        + out.shortages().get(0).key()
                : "";
    }

    private static String asked(Command command) {
        String verb = command.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return verb + " " + command.reservation().map(ReservationNames::of).orElseGet(() -> some(lines(command)));
    }

    private static List<StockLine> lines(Command command) {
        if (command instanceof Command.Reserve reserve) {
            return reserve.order().lines();
        }
        if (command instanceof Command.Receive receive) {
            return receive.lines();
        }
        if (command instanceof Command.Adjust adjust) {
            return List.of(adjust.change());
        }
        return command instanceof Command.Repair repair ? List.of(new StockLine(repair.key(), 0)) : List.of();
    }

    private static String some(List<StockLine> lines) {
        String named = lines.stream().limit(NAMED).map(StockLine::toString).collect(Collectors.joining(", "));
        return lines.size() <= NAMED ? named : named + " and " + (lines.size() - NAMED) + " more";
    }
}
