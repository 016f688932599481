package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;

import dev.lockstep.core.CallSites;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.memory.MemoryStore;

/** A lock inside a lock: allowed in the order of the ranks, refused against it. */
public final class NestedLocks {
    private NestedLocks() {}

    public static void main(String[] args) {
        Locks locks = Locks.builder(MemoryStore.create())
                .callSites(CallSites.ALWAYS) // so that errors name both lines of code
                .defaultTerm(Backstage.LONG)
                .build();
        try (locks) {
            withTheOrder(locks);
            againstTheOrder(locks);
        } catch (OrderViolationException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void withTheOrder(Locks locks) {
        // tag::nested
        locks.run(exclusive(CHARACTER.key("A")), outer -> {
            locks.run(exclusive(EQUIPMENT.key("B")), inner -> equip()); // rank 2 after rank 1
            locks.run(exclusive(CHARACTER.key("A")), inner -> rename()); // covered by the outer lease
        });
        // end::nested
    }

    @SuppressWarnings("lockstep:order") // shows what happens at run time
    private static void againstTheOrder(Locks locks) {
        // tag::violation
        locks.run(exclusive(EQUIPMENT.key("B")), outer -> {
            locks.run(exclusive(CHARACTER.key("A")), inner -> equip()); // OrderViolationException
        });
        // end::violation
    }

    private static void equip() {
        System.out.println("equipped");
    }

    private static void rename() {
        System.out.println("renamed");
    }
}
