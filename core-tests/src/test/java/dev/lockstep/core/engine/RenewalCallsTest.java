package dev.lockstep.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.CallSites;
import dev.lockstep.core.Estate;
import dev.lockstep.core.Limits;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which renewals are called when: a call that was not run yet is one to which the store has not responded. */
class RenewalCallsTest {
    private static final Duration TERM = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMillis(700);

    private final FakeClock clock = new FakeClock();
    private final LockSettings settings = new LockSettings(
            clock,
            Duration.ofSeconds(1),
            TermRule.of(TERM, true, null),
            null,
            "test",
            OrderPolicy.FAIL,
            CallSites.NEVER,
            Limits.DEFAULT,
            true,
            true);
    private final HolderTable table = new HolderTable(settings);
    private final Queue<Runnable> started = new ArrayDeque<>();
    private final List<StoreLease> renewed = new ArrayList<>();
    private final Set<StoreLease> dead = new HashSet<>();
    private final RenewalCalls calls = new RenewalCalls(clock, started::add, new RenewalCalls.Store() {
        @Override
        public boolean renew(List<StoreLease> storeLeases) {
            renewed.addAll(storeLeases);
            return storeLeases.stream().noneMatch(dead::contains);
        }

        @Override
        public void failed(List<StoreLease> storeLeases, Throwable error) {
            throw new AssertionError(error);
        }
    });

    private StoreLease lease() {
        LockRequest request = LockRequest.exclusive(Estate.USER.key("u"));
        StoreLease lease = new StoreLease(table.newHolder(), request, Duration.ZERO);
        lease.granted(new Grant(1));
        return lease;
    }

    private record Grant(long token) implements StoreGrant {}

    /** Begins a renewal in a separate group, for which the store takes long. */
    private StoreLease takesLong(StoreLease lease) {
        clock.advance(TERM.dividedBy(2));
        assertThat(lease.beginRenewal(clock.nanos())).isTrue();
        calls.add(lease, lease);
        calls.start();
        clock.advance(LONG);
        long unused = calls.inspect(clock.nanos(), 0);
        return lease;
    }

    private StoreLease deadLease() {
        StoreLease lease = takesLong(lease());
        dead.add(lease);
        started.remove().run();
        lease.renewalFailed(new IllegalStateException("no response"), clock.nanos());
        return lease;
    }

    private void addAgain(StoreLease lease) {
        calls.add(lease, lease);
        calls.start();
    }

    @Test
    void leaseThatWasOnceSlowIsRenewedWhileAllSmallCallsHang() {
        StoreLease once = takesLong(lease());
        started.remove().run();
        List<StoreLease> suspects = List.of(deadLease(), deadLease());
        for (int i = 0; i < 6; i++) {
            takesLong(lease());
        }
        suspects.forEach(this::addAgain);
        started.clear();
        clock.advance(LONG);
        long unused = calls.inspect(clock.nanos(), 0);
        addAgain(once);
        assertThat(started).as("calls that could be started").hasSize(1);
        renewed.clear();
        started.remove().run();
        assertThat(renewed).containsExactly(once);
    }

    @Test
    void leasesThatDontRespondTakeNoMoreThanTheSmallAndTheSlowCalls() {
        List<StoreLease> suspects = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            suspects.add(deadLease());
        }
        suspects.forEach(this::addAgain);
        for (int i = 0; i < 3; i++) {
            clock.advance(LONG);
            long unused = calls.inspect(clock.nanos(), 0);
        }
        assertThat(started).hasSize(8);
        started.clear();
        addAgain(lease());
        assertThat(started).as("the call of a lease that was never slow").hasSize(1);
    }
}
