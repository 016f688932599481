package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.time.Duration;

/** Asking for locks without an exception when they are unavailable. */
public final class TryAndBusy {
    private TryAndBusy() {}

    public static void main(String[] args) {
        LockKey account = USER.key("u1").child(ACCOUNT, "a1");
        try (Locks locks = Backstage.patientLocks()) {
            Lease payment = locks.acquireAsync(
                            exclusive(account.child(RESOURCE, "r1")).as("payment"))
                    .join();
            tryToClose(locks, account);
            payment.close();
            tryToClose(locks, account);
        }
    }

    @SuppressWarnings("try") // the lease is only there to be held
    private static void tryToClose(Locks locks, LockKey account) {
        // tag::try
        Attempt attempt = locks.tryAcquire(
                exclusive(account).within(Duration.ofMillis(200)).as("close-account"));
        if (attempt instanceof Granted granted) {
            try (Lease lease = granted.lease()) {
                close(account);
            }
        } else if (attempt instanceof Busy busy) {
            System.out.println(busy.key() + " is busy: " + busy.blockers());
        }
        // end::try
    }

    private static void close(LockKey account) {
        System.out.println(account + " is closed");
    }
}
