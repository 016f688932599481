package dev.lockstep.server.locks;

import dev.lockstep.server.locks.restart.GrantGate;
import dev.lockstep.server.locks.restart.RunNote;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Notes the run before the first client can come, and its end after the last one has gone. */
@Component
final class RunLifecycle implements SmartLifecycle {
    private static final int BEFORE_THE_WEB_SERVER = WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1024;

    private final RunNote note;
    private final Desk desk;
    private final GrantGate gate;
    private volatile boolean running;

    RunLifecycle(RunNote note, Desk desk, GrantGate gate) {
        this.note = note;
        this.desk = desk;
        this.gate = gate;
    }

    @Override
    public void start() {
        note.running();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        note.stopped(later(left(desk.lastEnd()), left(gate.grantsFrom())));
    }

    private static Duration left(Optional<Instant> end) {
        return end.map(at -> Duration.between(Instant.now(), at)).orElse(Duration.ZERO);
    }

    private static Duration later(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return BEFORE_THE_WEB_SERVER;
    }
}
