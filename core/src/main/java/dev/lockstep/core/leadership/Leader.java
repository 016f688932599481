package dev.lockstep.core.leadership;

import java.time.Instant;

/**
 * Who leads.
 *
 * @param owner the name of the candidate
 * @param since when it was elected, by the clock of the store
 */
public record Leader(String owner, Instant since) {}
