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
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.List;
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

    @Test
    void aWaitThatEndsAlthoughItHasNoLimitIsAnErrorAndNothingIsLocked() {
        try (Locks impatient = Locks.on(new NeverFree(MemoryStore.create()))) {
            LockView view = LockViews.on(impatient).lock(Job.key("a"));
            assertThatThrownBy(view::lock).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(view::lockInterruptibly).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> view.lock(Duration.ofSeconds(10))).isInstanceOf(IllegalStateException.class);
            assertThat(view.tryLock()).isFalse();
            assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }

    /** A store that ends every wait at once. */
    private static final class NeverFree extends StoreAround {
        NeverFree(LockStore inner) {
            super(inner);
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) {
            return new StoreBusy(request.plan().locks().get(0), List.of());
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return List.of();
        }

        @Override
        public boolean release(StoreGrant grant) {
            return false;
        }
    }
}
