package dev.lockstep.examples;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What the examples need to show several holders at once. */
final class Backstage {
    /** Longer than a busy machine stands still. */
    static final Duration LONG = Duration.ofMinutes(1);

    private Backstage() {}

    /** Locks in memory with leases that stay and requests that wait, also on a busy machine. */
    static Locks patientLocks() {
        return Locks.builder(MemoryStore.create())
                .defaultTerm(LONG)
                .defaultWait(LONG)
                .build();
    }

    /** Runs a task on a thread with this name, which is also the owner label of its requests. */
    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Asks for locks, without waiting, on another thread: as another holder. */
    static Attempt askElsewhere(Locks locks, LockRequest request) {
        return CompletableFuture.supplyAsync(() -> locks.tryAcquire(request)).join();
    }

    /** Waits until a request with this label waits for a lock. */
    static void awaitWaiter(Locks locks, String owner) {
        while (locks.snapshot().waiters().stream()
                .noneMatch(waiter -> waiter.owner().equals(owner))) {
            pause(Duration.ofMillis(1));
        }
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The example was interrupted", e);
    }
}
