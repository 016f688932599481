package dev.lockstep.jdbc;

/**
 * A row of {@code hier_lock_buckets} that stands for keys which were in use at the same time.
 *
 * @param level the level of the row
 * @param bucket the bucket
 * @param waits how many requests had to wait, or were refused, only because another key uses the row; halved at times where more than
 *     10,000 rows are in demand
 */
public record SharedRow(int level, int bucket, long waits) {}
