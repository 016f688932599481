package dev.lockstep.core.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes that decide to leave the primary at the same time. */
@Timeout(300)
class SwitchDecisionTest {
    private final MemoryStore secondary = MemoryStore.create();
    private final EpochRegister register = secondary.epochs("pair").orElseThrow();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch response = new CountDownLatch(1);
    private volatile boolean slow;

    /** The register as this process sees it: its responses may be slow. */
    private final EpochRegister slowRegister = new EpochRegister() {
        @Override
        public void requireUsable() {}

        @Override
        public Epoch read() {
            if (slow) {
                reading.countDown();
                await(response);
            }
            return register.read();
        }

        @Override
        public boolean replace(Epoch expected, Epoch next) {
            return register.replace(expected, next);
        }
    };

    private static final class Unreachable extends StoreAround {
        volatile boolean down;

        Unreachable() {
            super(MemoryStore.create());
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return List.of();
        }

        @Override
        public boolean release(StoreGrant grant) {
            return true;
        }

        @Override
        public void ping() {
            if (down) {
                throw new LockException(ErrorCode.STORE_UNAVAILABLE, "connection refused", List.of(), null);
            }
        }
    }

    private static final class Ignoring implements EpochListener {
        @Override
        public void switched(String reason) {}

        @Override
        public void opened() {}

        @Override
        public void secondaryLost(Exception error) {}

        @Override
        public void secondaryFound() {}

        @Override
        public void refused(String why) {}
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("Nothing interrupts this", e);
        }
    }

    /** The other process has switched; this one has not learned of it and decides the same, while its question is on the way. */
    @Test
    void switchThatAnotherProcessHasMadeIsNotTakenBack() throws Exception {
        Unreachable primary = new Unreachable();
        LockClock clock = LockClock.system();
        LockStore inFront = primary;
        Stores stores = new Stores(inFront, secondary);
        FallbackOptions options = FallbackOptions.DEFAULT.unavailableAfter(Duration.ofMillis(10));
        EpochClaim claim = new EpochClaim(
                slowRegister, options, options.terms(stores.name(), Optional.empty()), clock, new Ignoring());
        Health health = new Health(primary, clock);
        SwitchDecision decision = new SwitchDecision(stores, options, claim, health);
        decision.begin();
        primary.down = true;
        while (!health.isAwayFor(Duration.ofMillis(10))) {
            health.probe();
        }
        Epoch before = register.read();
        assertThat(register.replace(before, before.switched())).isTrue();
        slow = true;
        CompletableFuture<Void> confirming = CompletableFuture.runAsync(claim::confirm);
        await(reading);
        CompletableFuture<Void> deciding = CompletableFuture.runAsync(decision::probe);
        TimeUnit.MILLISECONDS.sleep(200); // so that it decides before the response: passes without it, too
        slow = false;
        response.countDown();
        CompletableFuture.allOf(confirming, deciding).get(60, TimeUnit.SECONDS);
        assertThat(register.read().number()).isEqualTo(before.number() + 1);
        assertThat(register.read().side()).isEqualTo(Epoch.Side.SECONDARY);
    }
}
