package dev.lockstep.spring.actuate;

import dev.lockstep.jdbc.RowLockStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** The meter of waits that only happened because two keys share a row. */
public final class SharedRowMeters implements MeterBinder {
    private final RowLockStore store;

    /** The meter of this store. */
    public SharedRowMeters(RowLockStore store) {
        this.store = store;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("lockstep.shared.row.waits", store, RowLockStore::sharedRowWaits)
                .tag("store", store.name())
                .baseUnit("waits")
                .description("Requests that waited, or were refused, only because another key uses the same row")
                .register(registry);
    }
}
