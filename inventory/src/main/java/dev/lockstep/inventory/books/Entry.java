package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.EntryType;
import org.jspecify.annotations.Nullable;

/**
 * A line of the ledger, as it is to be written.
 *
 * @param line the place among the lines of its request, from 0
 * @param note why the stock was corrected, or when the reservation expires
 */
record Entry(
        PendingCommand work,
        EntryType type,
        int line,
        Change change,
        @Nullable String reservationId,
        @Nullable String note) {}
