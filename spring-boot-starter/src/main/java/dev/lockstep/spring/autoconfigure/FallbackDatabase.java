package dev.lockstep.spring.autoconfigure;

/** Makes the fallback's store. A separate type, so that it isn't taken for one that makes main stores. */
record FallbackDatabase(DatabaseStoreFactory factory) {}
