package dev.lockstep.spring;

import java.util.OptionalInt;

/** Knows how many leases a store has connections for: on a database each lease keeps one while it is held. */
@FunctionalInterface
public interface LeaseConnections {
    /** The number for the store of this name; empty where leases take no connections. */
    OptionalInt of(String store);
}
