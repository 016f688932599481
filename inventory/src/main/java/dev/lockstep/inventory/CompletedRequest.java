package dev.lockstep.inventory;

import dev.lockstep.inventory.Outcome.Accepted;

/** A request that was done before, with the hash of its payload. */
record CompletedRequest(String hash, Accepted outcome) {}
