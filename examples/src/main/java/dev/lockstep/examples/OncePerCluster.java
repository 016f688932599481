package dev.lockstep.examples;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.scheduling.LockCheck;
import java.time.Duration;

/** A task that each node starts, and one of them runs. */
public final class OncePerCluster {
    private static final LockKey REPORT = LockKind.of("task", 920).asLeaf().key("daily-report");

    private OncePerCluster() {}

    public static void main(String[] args) {
        try (Locks locks = Backstage.patientLocks()) {
            for (int node = 1; node <= 3; node++) {
                // tag::once
                boolean ran = locks.once(REPORT, Duration.ofSeconds(30), lease -> report());
                // end::once
                System.out.println("node " + node + " ran it: " + ran);
            }
        }
    }

    // tag::once-check
    private static void report() {
        LockCheck.requireLocked(); // fails when it is called without its lock
        System.out.println("reported");
    }
    // end::once-check
}
