package dev.lockstep.inventory;

import java.time.Duration;

/**
 * What a retention run has deleted so far.
 *
 * @param stocks how many stocks it has looked at
 * @param ledgerLines how many lines of the ledger checkpoints have replaced
 * @param reservations how many lines of ended reservations it has deleted
 * @param skipped stocks that kept their lines because these don't add up: reconcile and repair them
 * @param took the time it has taken
 */
public record RetentionReport(long stocks, long ledgerLines, long reservations, long skipped, Duration took) {}
