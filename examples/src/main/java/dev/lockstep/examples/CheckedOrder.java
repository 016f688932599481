package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;

import dev.lockstep.core.Holds;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Takes;

/** What the check of the lock order reads while compiling. */
final class CheckedOrder {
    private final Locks locks;

    CheckedOrder(Locks locks) {
        this.locks = locks;
    }

    // tag::contracts
    interface Names {
        @Takes("character") // locks characters inside
        void rename(String character);

        @Holds("equipment") // must be called with a piece of equipment locked
        void engrave(String equipment);
    }
    // end::contracts

    // tag::refused
    @SuppressWarnings("lockstep:order")
    void wrong(Names names) {
        locks.run(exclusive(EQUIPMENT.key("B")), outer -> {
            locks.run(exclusive(CHARACTER.key("A")), inner -> {}); // error
            names.rename("A"); // error: rename takes a character
            names.engrave("B"); // right: a piece of equipment is held
        });
    }
    // end::refused
}
