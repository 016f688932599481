package dev.lockstep.inventory;

import java.time.Instant;

/**
 * How one stock is changed at the moment.
 *
 * @param why what led to it, in words
 * @param since since when
 * @param conflictRate how many of the last attempts met others, from 0 to 1
 * @param company how many of the last requests shared a transaction with others, from 0 to 1
 */
public record StrategyView(
        StockKey key, Strategy strategy, String why, Instant since, double conflictRate, double company) {}
