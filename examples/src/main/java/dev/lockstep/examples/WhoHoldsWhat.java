package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.WaitingLock;

/** A look at everyone who holds or waits. */
public final class WhoHoldsWhat {
    private WhoHoldsWhat() {}

    public static void main(String[] args) {
        LockKey account = USER.key("u1").child(ACCOUNT, "a1");
        try (Locks locks = Backstage.patientLocks()) {
            Lease payment =
                    locks.acquire(exclusive(account.child(RESOURCE, "r1")).as("payment"));
            Thread closing = Backstage.start(
                    "close-account", () -> locks.run(exclusive(account), lease -> System.out.println("closed")));
            Backstage.awaitWaiter(locks, "close-account");
            print(locks);
            payment.close();
            Backstage.join(closing);
            print(locks);
        }
    }

    private static void print(Locks locks) {
        // tag::snapshot
        LockSnapshot now = locks.snapshot();
        for (HeldLock held : now.holders()) {
            System.out.println(held.owner() + " holds " + held.key() + " as " + held.mode() + " since " + held.since());
        }
        for (WaitingLock waiting : now.waiters()) {
            System.out.println(waiting.owner() + " waits for " + waiting.key() + " behind " + waiting.blockedBy());
        }
        // end::snapshot
        System.out.println(now.holders().size() + " held, " + now.waiters().size() + " waiting");
    }
}
