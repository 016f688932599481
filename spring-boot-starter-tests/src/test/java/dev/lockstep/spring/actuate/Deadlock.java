package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Two holders that ask for each other's lock. */
final class Deadlock {
    private Deadlock() {}

    static void between(Locks locks, Lease one, Lease two) {
        CompletableFuture<Void> first = crossing(locks, one, two);
        CompletableFuture<Void> second = crossing(locks, two, one);
        CompletableFuture.allOf(first, second).join();
    }

    private static CompletableFuture<Void> crossing(Locks locks, Lease own, Lease wanted) {
        return CompletableFuture.runAsync(
                        own.bind(() -> {
                            try {
                                locks.acquire(exclusive(wanted.keys().get(0)).within(Duration.ofMinutes(1)))
                                        .close();
                            } catch (DeadlockException e) {
                                own.close();
                            }
                        }),
                        task -> new Thread(task).start())
                .thenRun(own::close);
    }
}
