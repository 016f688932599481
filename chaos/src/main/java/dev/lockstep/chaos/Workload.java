package dev.lockstep.chaos;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The threads of one process that work under its locks. */
final class Workload {
    private final Locks locks;
    private final LockClock clock;
    private final Supplier<Register> registers;
    private final History history;
    private final Duration term;
    private final AtomicLong ops = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    Workload(Locks locks, LockClock clock, Supplier<Register> registers, History history, Duration term) {
        this.locks = locks;
        this.clock = clock;
        this.registers = registers;
        this.history = history;
        this.term = term;
    }

    void begin(int count, long seed) {
        for (int i = 0; i < count; i++) {
            Random random = new Random(seed * 31 + i);
            String name = "t" + i;
            Thread thread = new Thread(() -> work(random, name), "chaos-" + name);
            thread.setDaemon(true);
            threads.add(thread);
            history.now("begin", "thread", name);
            thread.start();
        }
    }

    private void work(Random random, String name) {
        try (Register register = registers.get()) {
            Caller caller = new Caller(locks, clock, history, ops, name);
            new ChaosWorker(caller, register, history, term, random).workUntil(() -> ended);
        } catch (InterruptedException | RuntimeException e) {
            e.printStackTrace();
            history.now("broken", "thread", name, "text", e);
        }
    }

    /** Lets them finish what they are at; returns whether all of them did. */
    boolean end(Duration atMost) throws InterruptedException {
        ended = true;
        long deadline = System.nanoTime() + atMost.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                history.now("stuck", "thread", thread.getName(), "at", List.of(thread.getStackTrace()));
            }
        }
        return threads.stream().noneMatch(Thread::isAlive);
    }
}
