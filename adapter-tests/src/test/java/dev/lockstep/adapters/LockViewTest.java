package dev.lockstep.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.concurrent.LockView;
import dev.lockstep.core.concurrent.LockViews;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The views in memory. */
class LockViewTest extends LockViewContract {
    private final FakeClock clock = new FakeClock();
    private final LockStore memory = MemoryStore.create();

    @Override
    LocksBuilder place() {
        return Locks.builder(memory).leaveStoreOpen();
    }

    @Test
    void aTermThatIsOverIsReportedWhenItIsUnlocked() throws Exception {
        try (Locks timed = Locks.on(MemoryStore.on(clock))) {
            LockView view = LockViews.on(timed).lock(Job.key("a"));
            assertThat(view.tryLock(Duration.ZERO, Duration.ofSeconds(10))).isTrue();
            clock.advance(Duration.ofSeconds(11));
            assertThatThrownBy(view::unlock).isInstanceOf(LeaseLostException.class);
            assertThat(view.tryLock()).isTrue();
            view.unlock();
        }
    }

    @Test
    void lockingAgainWithATermExtendsTheLease() {
        try (Locks timed = Locks.on(MemoryStore.on(clock))) {
            LockView view = LockViews.on(timed).lock(Job.key("a"));
            view.lock(Duration.ofSeconds(10));
            clock.advance(Duration.ofSeconds(8));
            view.lock(Duration.ofSeconds(10));
            clock.advance(Duration.ofSeconds(8));
            view.unlock();
            view.unlock();
        }
    }

    @Test
    void aTermThatIsNotPositiveIsRefused() {
        LockView view = LockViews.on(locks).lock(Job.key("a"));
        assertThatThrownBy(() -> view.lock(Duration.ZERO)).isInstanceOf(InvalidRequestException.class);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }
}
