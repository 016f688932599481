package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class EventProbeTest {
    private final EventProbe probe = new EventProbe();

    @Test
    void collectsWhatHappensAndWaitsForWhatMustCome() {
        try (Locks locks =
                Locks.builder(MemoryStore.on(new FakeClock())).listener(probe).build()) {
            locks.acquire(LockRequest.exclusive(Tenancy.user("u1")).as("me")).close();
            locks.acquire(LockRequest.exclusive(Tenancy.user("u2")).as("me")).close();
            assertThat(probe.awaitCount(LockEvent.Released.class, 2)).hasSize(2);
            LockEvent.Acquired second = probe.await(
                    LockEvent.Acquired.class, event -> event.subject().keys().contains(Tenancy.user("u2")));
            assertThat(second.subject().owner()).isEqualTo("me");
            assertThat(probe.events()).hasSize(4);
            assertThat(probe.ofType(LockEvent.Acquired.class)).hasSize(2);
            assertThat(probe.ofType(LockEvent.Lost.class)).isEmpty();
            probe.clear();
            assertThat(probe.events()).isEmpty();
        }
    }
}
