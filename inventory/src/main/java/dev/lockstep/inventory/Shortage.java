package dev.lockstep.inventory;

/** Of what there is not enough, how much was asked for, and how much there is. */
public record Shortage(StockKey key, long requested, long available) {}
