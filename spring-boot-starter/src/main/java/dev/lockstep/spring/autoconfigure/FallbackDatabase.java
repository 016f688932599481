package dev.lockstep.spring.autoconfigure;

/** Makes the fallback's store. A type of its own, so that nobody takes it for one that makes main stores. */
record FallbackDatabase(StoreFactory factory) {}
