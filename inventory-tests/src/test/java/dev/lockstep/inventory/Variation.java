package dev.lockstep.inventory;

import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a command has to do with an earlier one. */
enum Variation {
    /** The same once more. */
    AGAIN,
    /** Asks for the same, with its lines in another order. */
    REORDERED,
    /** Asks for the same, with each line in as many as it has pieces. */
    SPLIT,
    /** Has the request id of the earlier one, and asks for nearly the same. */
    CLOSE,
    /** Has the request id of the earlier one, and asks for something else. */
    OTHER,
    /** Is about the reservation that the earlier one may have made. */
    ABOUT;

    /** The command that varies an earlier one; {@code fresh} has what the variation needs besides, and {@code dice} chooses. */
    Command of(Command earlier, Command fresh, int dice) {
        String id = earlier.requestId();
        return switch (this) {
            case AGAIN -> earlier;
            case REORDERED -> with(earlier, reversed(lines(earlier)));
            case SPLIT -> with(earlier, split(lines(earlier)));
            case CLOSE -> close(earlier, dice % 3);
            case OTHER -> renamed(fresh, id);
            case ABOUT ->
                switch (dice % 5) {
                    case 0, 1 -> new Cancel(id, fresh.requestId());
                    case 2, 3 -> new Ship(id, fresh.requestId());
                    default -> new Expire(id);
                };
        };
    }

    private static List<StockLine> lines(Command command) {
        if (command instanceof Reserve reserve) {
            return reserve.order().lines();
        }
        return command instanceof Receive receive ? receive.lines() : List.of();
    }

    private static Command with(Command command, List<StockLine> lines) {
        if (command instanceof Reserve reserve) {
            return new Reserve(new Order(lines, reserve.order().heldFor()), reserve.requestId());
        }
        return command instanceof Receive receive ? new Receive(lines, receive.requestId()) : command;
    }

    private static List<StockLine> reversed(List<StockLine> lines) {
        List<StockLine> reversed = new ArrayList<>(lines);
        Collections.reverse(reversed);
        return reversed;
    }

    private static List<StockLine> split(List<StockLine> lines) {
        return lines.stream()
                .flatMap(line -> Collections.nCopies((int) line.quantity(), new StockLine(line.key(), 1)).stream())
                .toList();
    }

    private static Command close(Command command, int dice) {
        if (command instanceof Reserve reserve) {
            return switch (dice) {
                case 0 -> with(reserve, oneMore(reserve.order().lines()));
                case 1 -> new Reserve(heldOtherwise(reserve.order()), reserve.requestId());
                default -> new Receive(reserve.order().lines(), reserve.requestId());
            };
        }
        if (command instanceof Receive receive) {
            return dice == 0
                    ? with(receive, oneMore(receive.lines()))
                    : new Reserve(Order.of(receive.lines()), receive.requestId());
        }
        if (command instanceof Adjust adjust) {
            StockLine change = adjust.change();
            return dice == 0
                    ? new Adjust(new StockLine(change.key(), -change.quantity()), adjust.reason(), adjust.requestId())
                    : new Adjust(change, adjust.reason() + " again", adjust.requestId());
        }
        if (command instanceof Cancel cancel) {
            return new Ship(cancel.reservationId(), cancel.requestId());
        }
        return command instanceof Ship ship ? new Cancel(ship.reservationId(), ship.requestId()) : command;
    }

    private static Order heldOtherwise(Order order) {
        return order.heldFor().isEmpty() ? order.heldFor(Duration.ofHours(1)) : Order.of(order.lines());
    }

    private static List<StockLine> oneMore(List<StockLine> lines) {
        List<StockLine> more = new ArrayList<>(lines);
        StockLine line = more.get(0);
        more.set(0, new StockLine(line.key(), line.quantity() + 1));
        return more;
    }

    private static Command renamed(Command command, String id) {
        if (command instanceof Reserve reserve) {
            return new Reserve(reserve.order(), id);
        }
        if (command instanceof Receive receive) {
            return new Receive(receive.lines(), id);
        }
        if (command instanceof Adjust adjust) {
            return new Adjust(adjust.change(), adjust.reason(), id);
        }
        return command;
    }
}
