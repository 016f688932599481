package dev.lockstep.core.engine;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockListener;
import java.util.function.Consumer;

/** A listener as the event stream calls it; in the log it goes by the listener's own name. */
record ListenerCall(LockListener listener) implements Consumer<LockEvent> {
    @Override
    public void accept(LockEvent event) {
        listener.on(event);
    }

    @Override
    public String toString() {
        return listener.toString();
    }
}
