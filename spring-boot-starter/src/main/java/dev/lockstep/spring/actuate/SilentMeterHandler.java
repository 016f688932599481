package dev.lockstep.spring.actuate;

import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Keeps observations of locks from becoming meters. {@link LockMeters} count the same already, under the same names but with other
 * tags, which Prometheus would refuse.
 */
public final class SilentMeterHandler implements MeterObservationHandler<LockObservationContext> {
    /** Takes the place of the handler that would make meters. */
    public SilentMeterHandler() {}

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }
}
