package dev.lockstep.examples;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.permits.Permits;
import java.time.Duration;

/** At most three holders at a time. */
public final class PrinterPermits {
    private static final LockKind PRINTERS = LockKind.of("printers", 910).asLeaf();

    private PrinterPermits() {}

    @SuppressWarnings("try") // the leases are only there to be held
    public static void main(String[] args) {
        try (Locks locks = Backstage.patientLocks()) {
            // tag::permits
            Permits permits = locks.permits(PRINTERS.key("floor-2"), 3); // in a field: the same number in every process
            try (Lease permit = permits.acquire(Duration.ofSeconds(5))) { // renewed until closed
                print("with a permit");
            }
            permits.run(lease -> print("with another one"));
            if (permits.tryAcquire() instanceof Granted granted) {
                try (granted) {
                    print("without waiting");
                }
            }
            // end::permits
            // tag::permits-resize
            permits.resize(1); // for all processes
            // end::permits-resize
            try (Lease permit = permits.acquire()) {
                Attempt second = permits.tryAcquire();
                print("a second one: " + (second instanceof Granted));
            }
        }
    }

    private static void print(String text) {
        System.out.println(text);
    }
}
