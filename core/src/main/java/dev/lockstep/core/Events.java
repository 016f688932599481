package dev.lockstep.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listeners of one {@link Locks}. */
final class Events implements AutoCloseable {
    private final LockClock clock;
    private final List<EventPump> pumps = new CopyOnWriteArrayList<>();

    Events(LockClock clock) {
        this.clock = clock;
    }

    Locks.Subscription subscribe(LockListener listener) {
        EventPump pump = new EventPump(listener, clock);
        pumps.add(pump);
        return () -> {
            pumps.remove(pump);
            pump.close();
        };
    }

    /** Whether it is worth making an event. */
    boolean areHeard() {
        return !pumps.isEmpty();
    }

    void publish(LockEvent event) {
        pumps.forEach(pump -> pump.offer(event));
    }

    @Override
    public void close() {
        pumps.forEach(EventPump::close);
    }
}
