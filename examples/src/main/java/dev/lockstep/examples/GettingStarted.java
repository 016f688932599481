package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;

/** A first lock: one kind of thing, in memory. */
public final class GettingStarted {
    private GettingStarted() {}

    // tag::started-kind
    enum Thing implements LockKind {
        ORDER;

        @Override
        public String prefix() {
            return "order"; // stands in keys, as in order:4711
        }

        @Override
        public int rank() {
            return 1; // lower ranks are locked first, everywhere
        }
    }
    // end::started-kind

    public static void main(String[] args) {
        // tag::started-memory
        Locks locks = Locks.inMemory();
        locks.run(exclusive(Thing.ORDER.key("4711")), lease -> {
            System.out.println("nobody else has " + lease.keys());
        });
        // end::started-memory
        locks.close();
    }
}
