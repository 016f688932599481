package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Metered locks on moved clocks and a store that fails. Terms are 10 s, renewed at a third of it. */
abstract class MeterStage {
    static final LockKey KEY = Tenancy.user("u1");
    static final Duration UNTIL_RENEWAL = Duration.ofMillis(3_400);

    final FakeClock clock = new FakeClock();
    final MemoryStore memory = MemoryStore.on(clock);
    final FaultyStore store = FaultyStore.around(memory);
    final EventProbe probe = new EventProbe();
    final Locks locks = Locks.builder(store).listener(probe).build();
    final Locks other = Locks.builder(memory).leaveStoreOpen().build();
    final MeterRegistry registry = registry();
    final LockMeters meters = new LockMeters(locks);

    MeterRegistry registry() {
        return new SimpleMeterRegistry();
    }

    {
        meters.bindTo(registry);
    }

    @AfterEach
    final void close() {
        store.heal();
        meters.close();
        other.close();
        locks.close();
    }

    final Timer awaitTimer(String name, String tag, String value, long count) {
        await().until(() -> registry.find(name).tag(tag, value).timers().stream()
                        .mapToLong(Timer::count)
                        .sum()
                == count);
        return registry.get(name).tag(tag, value).timer();
    }

    final void awaitCounter(String name, String tag, String value, double count) {
        await().until(() -> registry.find(name).tag(tag, value).counters().stream()
                        .mapToDouble(each -> each.count())
                        .sum()
                == count);
    }

    /** A deadlock that the store ends by failing one of two requests. */
    final void deadlock() {
        try (Locks unguarded = Locks.builder(memory)
                .orderPolicy(OrderPolicy.OFF)
                .leaveStoreOpen()
                .build()) {
            LockMeters own = new LockMeters(unguarded);
            own.bindTo(registry);
            Lease one = unguarded.acquireAsync(exclusive(Tenancy.user("d1"))).join();
            Lease two = unguarded.acquireAsync(exclusive(Tenancy.user("d2"))).join();
            Deadlock.between(unguarded, one, two);
            awaitTimer("lockstep.acquire", "outcome", "deadlock", 1);
            own.close();
        }
    }
}
