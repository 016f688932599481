package dev.lockstep.spring.actuate;

import io.micrometer.observation.Observation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One observation that can't harm what it observes: what its handlers throw goes to the log. A lease that was acquired would otherwise be
 * without an owner.
 */
final class SafeObservation {
    private static final Logger LOG = LoggerFactory.getLogger(SafeObservation.class);

    private final LockObservationContext context;
    private Observation observation = Observation.NOOP;
    private Observation.@Nullable Scope scope;
    private boolean ended;

    SafeObservation(LockObservationContext context) {
        this.context = context;
    }

    LockObservationContext context() {
        return context;
    }

    /** Starts it, as a part of whatever this thread is doing. */
    SafeObservation start(Supplier<Observation> made) {
        quietly(() -> observation = made.get().start());
        return this;
    }

    /** Lets what this thread does from now on be a part of it. */
    SafeObservation enter() {
        quietly(() -> scope = observation.openScope());
        return this;
    }

    /** On the same thread as {@link #enter}. */
    void leave() {
        Observation.Scope open = scope;
        scope = null;
        if (open != null) {
            quietly(open::close);
        }
    }

    void error(Throwable error) {
        quietly(() -> observation.error(error));
    }

    /** Ends it; later calls do nothing. */
    void end() {
        leave();
        if (!ended) {
            ended = true;
            quietly(observation::stop);
        }
    }

    private void quietly(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.warn("An observation of {} failed", context.request(), e);
        }
    }
}
