package dev.lockstep.client;

import dev.lockstep.core.CallSite;
import java.util.Optional;
import java.util.UUID;

/** What this process knows of a lease and the server doesn't; of other processes' leases, an id made of the name. */
record OwnLease(UUID id, Optional<CallSite> callSite) {}
