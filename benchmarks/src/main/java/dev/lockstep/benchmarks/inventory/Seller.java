package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;
import java.util.List;

/** Takes reservations, in one way or another. */
interface Seller extends AutoCloseable {
    /** What became of a request. */
    enum Answer {
        RESERVED,
        /** Refused without a change: conflicts, or no time left. */
        GAVE_UP,
        /** The outcome is unknown. */
        UNKNOWN
    }

    /** Reserves one piece of each stock. There is always enough, so anything but an answer is a failure. */
    Answer reserve(List<StockKey> keys, String requestId) throws Exception;

    /** Reserves one piece. */
    default Answer reserve(StockKey key, String requestId) throws Exception {
        return reserve(List.of(key), requestId);
    }

    /** Ends it; its connections are the pool's. */
    @Override
    void close();
}
