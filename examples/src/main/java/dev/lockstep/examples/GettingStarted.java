package dev.lockstep.examples;

// tag::started-imports
import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
// end::started-imports

/** A first lock, in memory. */
public final class GettingStarted {
    private GettingStarted() {}

    public static void main(String[] args) {
        // tag::started-memory
        Locks locks = Locks.inMemory();
        LockKey order = LockKind.of("order", 1).key("4711");
        locks.run(exclusive(order), lease -> System.out.println("holding " + lease.keys()));
        // end::started-memory
        locks.close();
    }
}
