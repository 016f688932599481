package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.spring.StoreDoctor;
import java.util.List;

/** Sees of a store that the application made itself whether it answers. */
record SnapshotDoctor(Locks locks) implements StoreDoctor {
    @Override
    public Diagnosis examine() {
        return new Diagnosis(List.of(look()));
    }

    private Finding look() {
        try {
            locks.snapshot();
            return Finding.ok("The store answers.", "More is known only of a store that lockstep.store names.");
        } catch (LockException e) {
            return Finding.error("The store doesn't answer.", Finding.reason(e));
        }
    }
}
