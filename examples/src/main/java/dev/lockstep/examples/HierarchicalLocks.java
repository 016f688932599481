package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;

/** A lock on a thing covers everything in it, and nothing beside it. */
public final class HierarchicalLocks {
    private HierarchicalLocks() {}

    public static void main(String[] args) {
        try (Locks locks = Backstage.patientLocks()) {
            show(locks);
        }
    }

    @SuppressWarnings("try") // the leases are only there to be held
    private static void show(Locks locks) {
        // tag::hierarchy
        LockKey user = USER.key("u1");
        LockKey account = user.child(ACCOUNT, "a1");
        LockKey resource = account.child(RESOURCE, "r1");

        try (Lease lease = locks.acquire(exclusive(account))) {
            tryElsewhere(locks, exclusive(resource)); // busy: it is inside the account
            tryElsewhere(locks, exclusive(user)); // busy: the account is inside it
            tryElsewhere(locks, exclusive(user.child(ACCOUNT, "a2"))); // granted
        }
        try (Lease lease = locks.acquire(shared(account))) {
            tryElsewhere(locks, shared(resource)); // granted, in memory and on Redis
            tryElsewhere(locks, exclusive(resource)); // busy
        }
        // end::hierarchy
    }

    private static void tryElsewhere(Locks locks, LockRequest request) {
        if (Backstage.askElsewhere(locks, request) instanceof Granted granted) {
            granted.lease().close();
            System.out.println("granted  " + request);
        } else {
            System.out.println("busy     " + request);
        }
    }
}
