package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.Tenancy.ACCOUNT;
import static dev.lockstep.examples.Tenancy.RESOURCE;
import static dev.lockstep.examples.Tenancy.USER;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;

/** The first ten lines. */
public final class QuickStart {
    private QuickStart() {}

    public static void main(String[] args) {
        // tag::quick-start
        Locks locks = Locks.inMemory();
        LockKey account = USER.key("u1").child(ACCOUNT, "a1");
        LockKey r1 = account.child(RESOURCE, "r1");
        LockKey r2 = account.child(RESOURCE, "r2");

        try (Lease lease = locks.acquire(exclusive(r1))) {
            pay("r1", lease.token()); // nobody else has r1, a1 or u1; r2 stays free
        }
        locks.run(exclusive(r2, r1), lease -> move("r2", "r1")); // several at once, in any order
        locks.run(exclusive(account), lease -> close("a1")); // waits until nobody has anything in a1
        // end::quick-start
        locks.close();
    }

    private static void pay(String resource, FencingToken token) {
        System.out.println("paid " + resource + " under token " + token);
    }

    private static void move(String from, String to) {
        System.out.println("moved " + from + " to " + to);
    }

    private static void close(String account) {
        System.out.println("closed " + account);
    }
}
