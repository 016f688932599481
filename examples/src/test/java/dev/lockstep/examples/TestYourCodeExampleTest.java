package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.projectlock.AcquireOptions;
import dev.lockstep.projectlock.ProjectLock;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.InMemoryOpfsFile;
import dev.lockstep.testkit.MockNavigatorLocks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How users of Lockstep test code that holds locks. */
class TestYourCodeExampleTest {
    // tag::testing
    @Test
    void noticesThatItsLeaseIsLost() {
        FakeClock clock = new FakeClock();
        EventProbe probe = new EventProbe();
        Locks locks = Locks.builder(MemoryStore.on(clock)).listener(probe).build();

        Lease lease = locks.acquire(exclusive(CHARACTER.key("A")).as("trade").forTerm(Duration.ofMinutes(5)));
        clock.advance(Duration.ofMinutes(6)); // takes no real time

        assertThat(lease.isHeld()).isFalse();
        assertThat(probe.await(LockEvent.Lost.class).subject().owner()).isEqualTo("trade");
    }
    // end::testing

    // tag::project-lock-testing
    @Test
    void waitsUntilTheOtherWindowsLeaseIsOver() {
        FakeClock clock = new FakeClock();
        InMemoryOpfsFile file = new InMemoryOpfsFile()
                .holding(UUID.randomUUID(), clock.instant().plusSeconds(10));
        ProjectLock lock = ProjectLock.at(Path.of("project"))
                .platformLocks(new MockNavigatorLocks().unavailable())
                .leaseFiles(file)
                .clock(clock)
                .open();

        AcquireOptions once = AcquireOptions.defaults().within(Duration.ZERO);
        assertThatThrownBy(() -> lock.acquire(once)).hasMessageContaining("is held by lease");
        clock.advance(Duration.ofSeconds(10)); // takes no real time
        assertThat(lock.acquire(once).didFallback()).isTrue();
    }
    // end::project-lock-testing
}
