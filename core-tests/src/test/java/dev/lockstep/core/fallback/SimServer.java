package dev.lockstep.core.fallback;

import dev.lockstep.core.memory.MemoryStore;

/** A server that keeps its memory, and can be away for everybody. */
final class SimServer {
    final String name;
    final SimClock clock;
    final MemoryStore store;
    boolean down;

    SimServer(String name, SimClock clock) {
        this.name = name;
        this.clock = clock;
        store = MemoryStore.on(clock);
    }
}
