package dev.lockstep.inventory;

import dev.lockstep.core.InvalidRequestException;

/**
 * How much an inventory takes on before it refuses.
 *
 * @param inFlight requests that are on their way at once, in all
 * @param queued requests for one stock that wait for their turn
 * @param batch requests that go into one transaction
 * @param lines lines of one order
 */
public record InventoryLimits(int inFlight, int queued, int batch, int lines) {
    /** Ten thousand in flight, five thousand in each queue, 256 in a transaction, a thousand lines. */
    public static final InventoryLimits DEFAULT = new InventoryLimits(10_000, 5_000, 256, 1_000);

    private static final int MOST = 1_000_000;

    /** Checks every part. */
    public InventoryLimits {
        check("requests in flight", inFlight, MOST);
        check("requests in a queue", queued, MOST);
        check("requests in a transaction", batch, 4_096);
        check("lines of an order", lines, 10_000);
    }

    private static void check(String what, int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new InvalidRequestException("The limit of " + what + " is " + limit + ". Give 1 to " + most + ".");
        }
    }

    /** The same, with this many on their way at once. */
    public InventoryLimits inFlight(int most) {
        return new InventoryLimits(most, queued, batch, lines);
    }

    /** The same, with this many waiting for one stock. */
    public InventoryLimits queued(int most) {
        return new InventoryLimits(inFlight, most, batch, lines);
    }

    /** The same, with this many in one transaction. */
    public InventoryLimits batch(int most) {
        return new InventoryLimits(inFlight, queued, most, lines);
    }

    /** The same, with this many lines of an order. */
    public InventoryLimits lines(int most) {
        return new InventoryLimits(inFlight, queued, batch, most);
    }
}
