package dev.lockstep.inventory;

import java.time.Instant;
import java.util.Optional;

/**
 * A line of a stock's ledger: what changed, when, and for which request.
 *
 * @param change what changed; the version of the stock after it is the number of the line
 * @param requestId the id of the request that changed it
 * @param reservationId the reservation that it belongs to
 * @param note the reason of a correction or a repair, or when a reservation expires
 * @param at when it changed, by the database's clock
 */
public record LedgerEntry(
        EntryType type,
        Change change,
        String requestId,
        Optional<String> reservationId,
        Optional<String> note,
        Instant at) {}
