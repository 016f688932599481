package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.server.http.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the API's document says of fields, as far as the inventory itself doesn't check it. */
final class Fields {
    /** What the request ids of cancellations begin with, and no others: a cancellation has no id of its own. */
    private static final String CANCEL = "cancel/";

    private static final int LONGEST_ID = 100;
    private static final int MOST_LINES = 100;
    private static final long MOST_PIECES = 1_000_000_000;
    private static final long SHORTEST_HOLD_MS = 1_000;
    private static final long LONGEST_HOLD_MS = Duration.ofDays(30).toMillis();

    private Fields() {}

    static String requestId(@Nullable String id) {
        String given = id("requestId", id);
        if (given.startsWith(CANCEL)) {
            throw Problem.invalid(
                    "requestId",
                    "The request id begins with '" + CANCEL + "', as only cancellations do. Choose another.");
        }
        return given;
    }

    static String reservationId(@Nullable String id) {
        return id("reservationId", id);
    }

    /** The request id of the one cancellation that a reservation can have. */
    static String cancellationOf(String reservationId) {
        return CANCEL + id("id", reservationId);
    }

    private static String id(String field, @Nullable String id) {
        String given = required(field, id);
        if (given.isEmpty() || given.length() > LONGEST_ID) {
            throw Problem.invalid(
                    field, field + " has " + given.length() + " characters. Give 1 to " + LONGEST_ID + ".");
        }
        return given;
    }

    static long quantity(@Nullable Long quantity) {
        return within("quantity", required("quantity", quantity), 1, MOST_PIECES);
    }

    /** By how much a count corrects the stock, up or down. */
    static long correction(@Nullable Long quantity) {
        long given = within("quantity", required("quantity", quantity), -MOST_PIECES, MOST_PIECES);
        if (given == 0) {
            throw Problem.invalid(
                    "quantity", "quantity is 0, which corrects nothing. Give by how much there is more or less.");
        }
        return given;
    }

    static String reason(@Nullable String reason) {
        return required("reason", reason);
    }

    static Order held(Order order, @Nullable Long heldForMs) {
        return heldForMs == null
                ? order
                : order.heldFor(Duration.ofMillis(within("heldForMs", heldForMs, SHORTEST_HOLD_MS, LONGEST_HOLD_MS)));
    }

    static List<StockLine> lines(@Nullable List<OrderRequest.@Nullable Line> lines) {
        List<OrderRequest.@Nullable Line> given = required("lines", lines);
        if (given.isEmpty() || given.size() > MOST_LINES) {
            throw Problem.invalid(
                    "lines", "There are " + given.size() + " lines. Give 1 to " + MOST_LINES + ", or split the order.");
        }
        List<StockLine> all = new ArrayList<>();
        for (OrderRequest.@Nullable Line each : given) {
            OrderRequest.Line line = required("lines", each);
            all.add(StockLine.line(
                    required("sku", line.sku()), required("location", line.location()), quantity(line.quantity())));
        }
        return all;
    }

    private static long within(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw Problem.invalid(field, field + " is " + value + ". Give " + least + " to " + most + ".");
        }
        return value;
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw Problem.invalid(field, field + " is missing.");
        }
        return value;
    }
}
