package dev.lockstep.inventory;

import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Commands of all kinds on a few SKUs, of which there is never enough. */
final class RandomCommands {
    private final Random random;
    private final List<StockKey> keys;
    private final List<String> reservations = new ArrayList<>();

    RandomCommands(Random random, List<StockKey> keys) {
        this.random = random;
        this.keys = keys;
    }

    List<Command> next(int count) {
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            commands.add(next("r" + i));
        }
        return commands;
    }

    private Command next(String id) {
        int dice = random.nextInt(10);
        if (dice < 5 || reservations.isEmpty()) {
            reservations.add(id);
            return new Reserve(order(), id);
        }
        return switch (dice) {
            case 5, 6 -> new Cancel(someReservation(), id);
            case 7 -> new Ship(someReservation(), id);
            case 8 -> new Receive(lines(), id);
            default -> new Adjust(new StockLine(someKey(), random.nextBoolean() ? 1 : -1), "counted", id);
        };
    }

    /** One in ten is over as soon as it is made, as nearly as makes no difference. */
    private Order order() {
        Order order = Order.of(lines());
        return random.nextInt(10) == 0 ? order.heldFor(Duration.ofMillis(1)) : order;
    }

    /** Usually one line; also several, and the same twice. */
    private List<StockLine> lines() {
        int count = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1;
        List<StockLine> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(new StockLine(someKey(), 1 + random.nextInt(3)));
        }
        return lines;
    }

    /** The first is the one that everybody wants. */
    private StockKey someKey() {
        return random.nextBoolean() ? keys.get(0) : keys.get(random.nextInt(keys.size()));
    }

    /** One of the last, so that it may well be on its way. */
    private String someReservation() {
        int last = Math.min(reservations.size(), 10);
        return reservations.get(reservations.size() - 1 - random.nextInt(last));
    }
}
