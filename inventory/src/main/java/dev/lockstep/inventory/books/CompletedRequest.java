package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Outcome.Accepted;

/** A request that was done before, with the hash of its payload. */
public record CompletedRequest(String hash, Accepted outcome) {}
