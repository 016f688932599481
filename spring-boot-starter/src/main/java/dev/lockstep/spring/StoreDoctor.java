package dev.lockstep.spring;

import dev.lockstep.core.doctor.Diagnosis;

/** Looks whether locks on the configured store can be relied on. */
@FunctionalInterface
public interface StoreDoctor {
    /** Looks at everything now, which takes a connection for a moment. A server that can't be reached is a finding. */
    Diagnosis examine();
}
