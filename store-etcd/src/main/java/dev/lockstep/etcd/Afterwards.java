package dev.lockstep.etcd;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What is to run when a step has ended. Each task runs once, also if several come during one step. */
final class Afterwards {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    void add(Runnable task) {
        tasks.add(task);
    }

    void run() {
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
    }
}
