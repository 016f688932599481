package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Waiting for locks without a thread. */
public final class AsyncLocks {
    private AsyncLocks() {}

    public static void main(String[] args) {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        try (Locks locks = Locks.inMemory()) {
            CompletableFuture<Void> done = workWhenItsTurnComes(locks, workers, CHARACTER.key("A"));
            done.join();
            giveUpWaiting(locks, CHARACTER.key("A"));
        } finally {
            workers.shutdown();
        }
    }

    private static CompletableFuture<Void> workWhenItsTurnComes(Locks locks, ExecutorService workers, LockKey key) {
        // tag::async
        return locks.acquireAsync(exclusive(key))
                .thenAcceptAsync(
                        lease -> {
                            try (lease) {
                                lease.bind(() -> work(locks)).run(); // requests inside count as nested
                            }
                        },
                        workers);
        // end::async
    }

    private static void work(Locks locks) {
        locks.run(exclusive(EQUIPMENT.key("B")), lease -> System.out.println("worked under " + lease.keys()));
    }

    private static void giveUpWaiting(Locks locks, LockKey key) {
        Lease held = locks.acquire(exclusive(key));
        // tag::cancel
        CompletableFuture<Lease> turn = locks.acquireAsync(exclusive(key));
        turn.cancel(true); // takes the request out of the queue
        // end::cancel
        System.out.println("waiting: " + locks.snapshot().waiters().size());
        held.close();
    }
}
