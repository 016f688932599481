package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Hands tasks to an executor after a pause, so that no worker sleeps. Its thread starts with the first task. */
final class Timer implements AutoCloseable {
    /** The pause after an executor refused a task. */
    private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

    private record Task(long at, Executor executor, Runnable action) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>((a, b) -> Long.signum(a.at() - b.at()));
    private final LockClock clock;
    private @Nullable Thread thread;
    private boolean closed;

    Timer(LockClock clock) {
        this.clock = clock;
    }

    void after(Duration pause, Executor executor, Runnable action) {
        lock.lock();
        try {
            tasks.add(new Task(clock.nanos() + pause.toNanos(), executor, action));
            wake();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (thread == null) {
            Thread made = new Thread(this::run, "lockstep-inventory-timer");
            made.setDaemon(true);
            made.start();
            thread = made; // not before: without memory for a thread, the next task tries again
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        try {
            runTasks();
        } finally {
            forgetThread();
        }
    }

    /** After an error, the next task starts another thread. */
    private void forgetThread() {
        lock.lock();
        try {
            if (thread == Thread.currentThread()) {
                thread = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void runTasks() {
        while (true) {
            long wait;
            lock.lock();
            try {
                @Nullable Task next = tasks.peek();
                if (next == null && closed) {
                    thread = null;
                    return;
                }
                wait = next == null ? Long.MAX_VALUE : next.at() - clock.nanos();
                if (wait <= 0 && next != null) {
                    tasks.remove();
                    start(next);
                    continue;
                }
            } finally {
                lock.unlock();
            }
            if (wait == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                clock.park(this, wait);
            }
        }
    }

    /** An executor that fails, as without memory for a thread, is tried again: the task's request would wait forever. */
    private void start(Task task) {
        try {
            task.executor().execute(task.action());
        } catch (RuntimeException | Error e) {
            if (!closed) {
                tasks.add(new Task(clock.nanos() + AGAIN, task.executor(), task.action()));
            }
        }
    }

    /** Ends the thread after the tasks that are still waiting. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        } finally {
            lock.unlock();
        }
    }
}
