package dev.lockstep.examples;

// tag::quick-start-imports
import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
// end::quick-start-imports

/** The first ten lines. */
public final class QuickStart {
    private QuickStart() {}

    public static void main(String[] args) {
        // tag::quick-start
        LockKind account = LockKind.of("account", 1); // a kind of thing: its name in keys, its rank in the lock order
        LockKind resource = LockKind.of("resource", 2).in(account);
        LockKey a1 = account.key("a1");
        LockKey r1 = a1.child(resource, "r1");
        LockKey r2 = a1.child(resource, "r2");

        Locks locks = Locks.inMemory();
        locks.run(exclusive(r1), lease -> System.out.println("paid r1 under token " + lease.token())); // r2 stays free
        locks.run(exclusive(r2, r1), lease -> System.out.println("moved r2 to r1")); // several at once, in any order
        locks.run(exclusive(a1), lease -> System.out.println("closed a1")); // also excludes r1 and r2
        // end::quick-start
        locks.close();
    }
}
