package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How users of Lockstep test code that holds locks. */
class TestYourCodeExampleTest {
    // tag::testing
    @Test
    void noticesThatItsLeaseIsLost() {
        FakeClock clock = new FakeClock();
        EventProbe probe = new EventProbe();
        Locks locks = Locks.builder(MemoryStore.on(clock))
                .clock(clock)
                .listener(probe)
                .build();

        Lease lease = locks.acquire(exclusive(CHARACTER.key("A")).forTerm(Duration.ofMinutes(5)));
        clock.advance(Duration.ofMinutes(6)); // takes no real time

        assertThat(lease.isHeld()).isFalse();
        assertThat(probe.await(LockEvent.Lost.class).subject().owner()).isEqualTo("main");
    }
    // end::testing
}
