package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.fallback.WithoutSecondary;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Processes that share two stores, each through lines of its own, on a clock that the tests move. */
abstract class FallbackStage {
    static final LockKey KEY = Tenancy.user("u1");
    static final Duration EPOCH_TERM = Duration.ofSeconds(10);
    static final Duration LONGEST = Duration.ofSeconds(30);
    static final Duration QUIET = EPOCH_TERM.plus(LONGEST);
    static final Duration AWAY = Duration.ofSeconds(5);
    static final Duration BACK = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Duration UNRENEWED = Duration.ofMillis(6_500); // left of 10 s when a renewal is overdue
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Blocked requests must not share a pool: the tests run side by side. */
    static final Executor NEW_THREAD = task -> new Thread(task).start();

    final FakeClock clock = new FakeClock();
    final MemoryStore first = MemoryStore.on(clock);
    final MemoryStore second = MemoryStore.on(clock);
    private final List<Party> processes = new ArrayList<>();
    private final List<Lease> renewed = new ArrayList<>();

    final class Party {
        final LineTo primary;
        final LineTo secondary = new LineTo(second);
        final EventProbe probe = new EventProbe();
        final FallbackStore store;
        final Locks locks;

        Party(UnaryOperator<FallbackStore> options) {
            this("", options);
        }

        Party(String address) {
            this(address, UnaryOperator.identity());
        }

        Party(String address, UnaryOperator<FallbackStore> options) {
            primary = new LineTo(first, address);
            store = options.apply(FallbackStore.of(primary, secondary));
            locks = Locks.builder(store)
                    .listener(probe)
                    .defaultWait(Duration.ofMinutes(10))
                    .build();
            processes.add(this);
        }

        /** Waits until both of its servers were asked again, in vain or not. */
        void awaitLook() {
            int pings = primary.pings();
            int reads = secondary.reads();
            if (pings > 0) { // it has started
                await().atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> primary.pings() > pings + 1 && secondary.reads() > reads + 1);
            }
        }

        Grants grants() {
            return store.state().grants();
        }
    }

    final Party process() {
        return new Party(store -> store.returnAfter(BACK));
    }

    final Party keepingOn() {
        return new Party(store -> store.withoutSecondary(WithoutSecondary.KEEP_FENCED));
    }

    /** Lets time pass slowly enough for the threads of every process to do what is due. */
    final void pass(Duration time) {
        for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            processes.forEach(Party::awaitLook);
            renewed.forEach(this::awaitRenewal);
        }
    }

    /** Lets time pass from now on only as fast as this lease is renewed. */
    final Lease keepRenewed(Lease lease) {
        renewed.add(lease);
        return lease;
    }

    /** Lets time pass from now on whatever becomes of this lease. */
    final void mayEnd(Lease lease) {
        renewed.remove(lease);
    }

    /** Waits for the renewal that is due after a third of the term, if it is. */
    private void awaitRenewal(Lease lease) {
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> !lease.isHeld()
                        || Duration.between(clock.instant(), lease.expiresAt()).compareTo(UNRENEWED) > 0);
    }

    final void passUntilOpen(Party process) {
        pass(QUIET);
        awaitGrants(process, Grants.YES);
    }

    final void awaitGrants(Party process, Grants grants) {
        await().atMost(LIMIT).untilAsserted(() -> {
            pass(Duration.ofMillis(100));
            assertThat(process.grants()).isEqualTo(grants);
        });
    }

    @AfterEach
    final void close() {
        processes.forEach(process -> {
            process.primary.mend();
            process.secondary.mend();
            process.locks.close();
        });
    }
}
