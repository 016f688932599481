package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.spring.StoreDoctor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks a doctor on its own thread: seldom, and never twice at the same time, however often it is asked itself. */
final class Checkup {
    private final StoreDoctor doctor;
    private final Duration interval;
    private final LockClock clock;
    private @Nullable Visit latest;

    Checkup(StoreDoctor doctor, Duration interval, LockClock clock) {
        this.doctor = doctor;
        this.interval = interval;
        this.clock = clock;
    }

    /** The last visit if it is under way or not long ago, else a new one. */
    synchronized Visit visit() {
        if (latest == null || latest.isOlderThan(interval)) {
            latest = new Visit();
            latest.begin();
        }
        return latest;
    }

    /** One visit of the doctor. */
    final class Visit {
        final CompletableFuture<Diagnosis> diagnosis = new CompletableFuture<>();
        final long atMillis = clock.millis();
        private final long begun = clock.nanos();
        private volatile long ended;

        private void begin() {
            Thread thread = new Thread(this::examine, "lockstep-health");
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (Throwable e) { // no thread was available: without a result there would never be another visit
                end();
                diagnosis.completeExceptionally(e);
            }
        }

        private void examine() {
            try {
                Diagnosis found = doctor.examine();
                end();
                diagnosis.complete(found);
            } catch (Throwable e) {
                end();
                diagnosis.completeExceptionally(e);
            }
        }

        private void end() {
            ended = clock.nanos();
        }

        /** For how long it has been under way. */
        Duration age() {
            return Duration.ofNanos(clock.nanos() - begun);
        }

        private boolean isOlderThan(Duration longest) {
            return diagnosis.isDone() && clock.nanos() - ended >= longest.toNanos();
        }
    }
}
