package dev.lockstep.server.demo;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.locks.keys.KeyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The simulated workers: they begin when the server has started, and end before it stops. */
@Component
@ConditionalOnProperty("lockstep.server.demo")
final class DemoWorkers implements SmartLifecycle {
    private static final long LONGEST_END = 2_000;

    private final Locks locks;
    private final KeyReader keys;
    private final Inventory inventory;
    private final SplittableRandom chance;
    private final List<Thread> threads = new ArrayList<>();

    DemoWorkers(Locks locks, KeyReader keys, Inventory inventory, ServerProperties properties) {
        this.locks = locks;
        this.keys = keys;
        this.inventory = inventory;
        @Nullable Long seed = properties.demoSeed();
        chance = seed == null ? new SplittableRandom() : new SplittableRandom(seed);
    }

    @Override
    public synchronized void start() {
        DemoWorkload.shifts().forEach(this::add);
        add("shop", new Shop(inventory, "demo-" + UUID.randomUUID().toString().substring(0, 8)));
    }

    private void add(String name, WorkerTask shift) {
        threads.add(new Worker(name, new DemoContext(locks, keys, chance.split()), shift).start());
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
