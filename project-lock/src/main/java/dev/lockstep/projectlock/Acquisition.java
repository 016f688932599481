package dev.lockstep.projectlock;

/**
 * A project that was acquired.
 *
 * @param didFallback whether the platform's lock could not be used, so that the lease rests on its file alone
 */
public record Acquisition(ProjectLease lease, boolean didFallback) {}
