package dev.lockstep.inventory;

import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an inventory should do, one command after the other, in plain maps. */
final class StockModel {
    /** Numbers of one stock. */
    private static final class Shelf {
        long physical;
        long allocated;
        long version;
    }

    private final Map<String, Shelf> shelves = new TreeMap<>();
    private final Map<String, Map<String, Long>> open = new HashMap<>();
    private final Map<String, String> ended = new HashMap<>();
    private final Map<String, Command> done = new HashMap<>();

    /** The name of the outcome that a command must have, or of the reason why it is refused; of both reasons where there are two. */
    String answer(Command command) {
        if (!(command instanceof Expire) && command.requestId().startsWith(Expire.PREFIX)) {
            return "INVALID_TEXT";
        }
        if (command.reservation().filter(id -> !isKnown(id)).isPresent()) {
            return "UNKNOWN_RESERVATION"; // whatever its request id was used for
        }
        Command before = done.get(command.requestId());
        if (before != null) {
            return asksTheSame(before, command) ? name(before) : "REQUEST_ID_REUSED";
        }
        String answer = decide(command);
        if (answer.equals(name(command))) {
            done.put(command.requestId(), command);
        }
        return answer;
    }

    /** Whether two commands ask for the same: in what order, and in how many lines, is all one. */
    private static boolean asksTheSame(Command one, Command other) {
        if (one instanceof Reserve a && other instanceof Reserve b) {
            return sums(a.order().lines()).equals(sums(b.order().lines()))
                    && a.order().heldFor().equals(b.order().heldFor());
        }
        if (one instanceof Receive a && other instanceof Receive b) {
            return sums(a.lines()).equals(sums(b.lines()));
        }
        return one.equals(other);
    }

    private boolean isKnown(String reservation) {
        return open.containsKey(reservation) || ended.containsKey(reservation);
    }

    private static String name(Command command) {
        Map<String, String> names = Map.of(
                "Reserve",
                "Reserved",
                "Cancel",
                "Cancelled",
                "Ship",
                "Shipped",
                "Receive",
                "Received",
                "Adjust",
                "Adjusted",
                "Expire",
                "Expired");
        return names.get(command.getClass().getSimpleName());
    }

    private String decide(Command command) {
        if (command instanceof Reserve reserve) {
            return reserve(reserve);
        }
        if (command instanceof Receive receive) {
            sums(receive.lines()).forEach((key, quantity) -> change(key, quantity, 0));
            return "Received";
        }
        if (command instanceof Adjust adjust) {
            return adjust(adjust.change());
        }
        return end(command);
    }

    private String reserve(Reserve reserve) {
        Map<String, Long> sums = sums(reserve.order().lines());
        boolean unknown = !shelves.keySet().containsAll(sums.keySet());
        boolean isShort = sums.entrySet().stream()
                .anyMatch(line -> shelves.containsKey(line.getKey()) && available(line.getKey()) < line.getValue());
        if (unknown || isShort) {
            return !isShort ? "UNKNOWN_STOCK" : unknown ? "UNKNOWN_STOCK or OutOfStock" : "OutOfStock";
        }
        sums.forEach((key, quantity) -> change(key, 0, quantity));
        open.put(reserve.requestId(), sums);
        return "Reserved";
    }

    private String adjust(StockLine line) {
        String key = line.key().toString();
        if (!shelves.containsKey(key)) {
            return "UNKNOWN_STOCK";
        }
        if (available(key) + line.quantity() < 0) {
            return "OutOfStock";
        }
        change(key, line.quantity(), 0);
        return "Adjusted";
    }

    private String end(Command command) {
        String id = command.reservation().orElseThrow();
        if (ended.containsKey(id)) {
            return ended.get(id);
        }
        if (command instanceof Expire) {
            return "NOT_EXPIRED";
        }
        int physical = command instanceof Ship ? -1 : 0;
        open.remove(id).forEach((key, quantity) -> change(key, physical * quantity, -quantity));
        ended.put(id, command instanceof Cancel ? "ALREADY_CANCELLED" : "ALREADY_SHIPPED");
        return name(command);
    }

    private static Map<String, Long> sums(List<StockLine> lines) {
        Map<String, Long> sums = new TreeMap<>();
        lines.forEach(line -> sums.merge(line.key().toString(), line.quantity(), Long::sum));
        return sums;
    }

    private long available(String key) {
        return shelves.get(key).physical - shelves.get(key).allocated;
    }

    private void change(String key, long physical, long allocated) {
        Shelf shelf = shelves.computeIfAbsent(key, any -> new Shelf());
        shelf.physical += physical;
        shelf.allocated += allocated;
        shelf.version++;
    }

    /** All stock: physical, allocated and version. */
    Map<String, List<Long>> stock() {
        Map<String, List<Long>> stock = new TreeMap<>();
        shelves.forEach((key, shelf) -> stock.put(key, List.of(shelf.physical, shelf.allocated, shelf.version)));
        return stock;
    }
}
