package dev.lockstep.server.locks;

import dev.lockstep.server.locks.restart.GrantGate;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Answers those who wait when the server stops, before it waits for requests to end. */
@Component
final class WaitersFarewell implements SmartLifecycle {
    private final GrantGate gate;
    private final WaitingRoom waiting;
    private volatile boolean running;

    WaitersFarewell(GrantGate gate, WaitingRoom waiting) {
        this.gate = gate;
        this.waiting = waiting;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        gate.close();
        waiting.clear(GrantGate.shuttingDown());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The highest phase stops first. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
