package dev.lockstep.server.demo;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The simulated workers: they begin when the server has started, and end before it stops. */
@Component
@ConditionalOnProperty("lockstep.server.demo")
final class DemoWorkers implements SmartLifecycle {
    private static final long LONGEST_END = 2_000;

    private final Locks locks;
    private final Kinds kinds;
    private final Inventory inventory;
    private final SplittableRandom chance;
    private final List<Thread> threads = new ArrayList<>();

    /** With a seed they decide the same each time, though not at the same moments. */
    DemoWorkers(
            Locks locks, Kinds kinds, Inventory inventory, @Value("${lockstep.server.demo-seed:#{null}}") Long seed) {
        this.locks = locks;
        this.kinds = kinds;
        this.inventory = inventory;
        chance = seed == null ? new SplittableRandom() : new SplittableRandom(seed);
    }

    @Override
    public synchronized void start() {
        Cast.shifts().forEach(this::add);
        add("shop", new Shop(inventory, "demo-" + UUID.randomUUID().toString().substring(0, 8)));
    }

    private void add(String name, Shift shift) {
        threads.add(new Worker(name, new Scene(locks, kinds, chance.split()), shift).start());
    }

    @Override
    public synchronized void stop() {
        threads.forEach(Thread::interrupt);
        long end = System.nanoTime() + LONGEST_END * 1_000_000;
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !threads.isEmpty();
    }
}
