package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;

import dev.lockstep.core.Locks;

/** Two methods name the same locks in opposite order, and never deadlock. */
public final class OrderedLocks {
    private static final int TURNS = 1_000;

    private final Locks locks;
    private int changes; // guarded by the locks

    private OrderedLocks(Locks locks) {
        this.locks = locks;
    }

    public static void main(String[] args) {
        try (Locks locks = Backstage.patientLocks()) {
            OrderedLocks service = new OrderedLocks(locks);
            Thread one = Backstage.start("equip", () -> repeat(() -> service.equip("A", "B")));
            Thread two = Backstage.start("repair", () -> repeat(() -> service.repair("B", "A")));
            Backstage.join(one);
            Backstage.join(two);
            System.out.println(service.changes + " changes, none lost, no deadlock");
        }
    }

    private static void repeat(Runnable task) {
        for (int i = 0; i < TURNS; i++) {
            task.run();
        }
    }

    // tag::ordered
    void equip(String character, String equipment) {
        locks.run(exclusive(CHARACTER.key(character), EQUIPMENT.key(equipment)), lease -> change());
    }

    void repair(String equipment, String character) { // names them the other way round
        locks.run(exclusive(EQUIPMENT.key(equipment), CHARACTER.key(character)), lease -> change());
    }
    // end::ordered

    private void change() {
        changes++;
    }
}
