package dev.lockstep.core;

/** The locks were had. */
public record Granted(Lease lease) implements Attempt {}
