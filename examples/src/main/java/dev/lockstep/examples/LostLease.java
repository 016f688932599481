package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.time.Duration;

/** A holder that is too slow learns that its lease is lost, and a fencing token stops the one that doesn't look. */
public final class LostLease {
    private static final LockKey REPORT = USER.key("u1");

    private LostLease() {}

    public static void main(String[] args) {
        FencedFile file = new FencedFile();
        try (Locks locks = Locks.inMemory()) {
            FencingToken old = workTooLong(locks);
            locks.run(exclusive(REPORT), lease -> {
                System.out.println("the next holder writes: " + file.write("new", lease.token()));
            });
            System.out.println("the slow one writes with its old token: " + file.write("old", old));
            System.out.println("in the file: " + file.text());
        }
    }

    private static FencingToken workTooLong(Locks locks) {
        // tag::lost
        Lease lease = locks.acquire(exclusive(REPORT).forTerm(Duration.ofMillis(200)));
        try (lease) {
            lease.lost().thenAccept(loss -> System.out.println("lost: " + loss));
            work(Duration.ofMillis(400)); // longer than the term
            lease.ensureHeld(); // throws, so nothing is written
            System.out.println("never printed");
        } catch (LeaseLostException e) {
            System.out.println("gave up: " + e.loss().reason());
        }
        // end::lost
        return lease.token();
    }

    private static void work(Duration time) {
        Backstage.pause(time);
    }
}
