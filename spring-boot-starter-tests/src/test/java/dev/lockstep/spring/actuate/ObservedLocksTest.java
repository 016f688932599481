package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockFigures;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.observation.tck.TestObservationRegistryAssert.TestObservationRegistryAssertReturningObservationContextAssert;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once")
@Timeout(240)
class ObservedLocksTest {
    private static final LockKey KEY = Tenancy.user("u1");

    private final FakeClock clock = new FakeClock();
    private final FaultyStore store = FaultyStore.around(MemoryStore.on(clock));
    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final Locks inner = Locks.builder(store).callSites(CallSites.ALWAYS).build();
    private final Locks locks = new ObservedLocks(inner, registry, new LockObservationConvention());

    @AfterEach
    void close() {
        locks.close();
    }

    private TestObservationRegistryAssertReturningObservationContextAssert observed(String name) {
        return TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo(name)
                .that();
    }

    @Test
    void acquireIsObservedUntilTheGrant() {
        try (Lease lease = locks.acquire(exclusive(KEY).as("me"))) {
            observed("lockstep.acquire")
                    .hasBeenStarted()
                    .hasBeenStopped()
                    .hasLowCardinalityKeyValue("store", "memory")
                    .hasLowCardinalityKeyValue("kind", "user")
                    .hasLowCardinalityKeyValue("outcome", "granted")
                    .hasHighCardinalityKeyValue("lockstep.keys", "user:u1")
                    .hasHighCardinalityKeyValue("lockstep.owner", "me")
                    .hasHighCardinalityKeyValue("lockstep.lease.id", lease.id().toString())
                    .hasContextualNameEqualTo("acquire user")
                    .doesNotHaveError();
        }
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void timeoutNamesTheBlocker() {
        Lease blocker = inner.acquireAsync(exclusive(KEY).as("the blocker")).join();
        CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(KEY).within(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(2)); // less than the term of the blocker
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(LockTimeoutException.class);
        await().untilAsserted(() -> observed("lockstep.acquire")
                .hasBeenStopped()
                .hasError()
                .hasLowCardinalityKeyValue("outcome", "timeout")
                .hasHighCardinalityKeyValueWithKey("lockstep.blocker"));
        blocker.close();
    }

    @Test
    void tryAcquireIsRefused() {
        Lease blocker = inner.acquireAsync(exclusive(KEY)).join();
        assertThat(locks.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        observed("lockstep.acquire")
                .hasBeenStopped()
                .doesNotHaveError()
                .hasLowCardinalityKeyValue("outcome", "refused")
                .hasHighCardinalityKeyValue("lockstep.busy.key", "user:u1");
        blocker.close();
        registry.clear();
        assertThat(locks.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
        observed("lockstep.acquire").hasLowCardinalityKeyValue("outcome", "granted");
    }

    @Test
    void violationIsObserved() {
        try (Lease account = locks.acquire(exclusive(Tenancy.account("u1", "a1")))) {
            registry.clear();
            assertThatThrownBy(() -> locks.acquire(exclusive(Tenancy.user("u2")).as(account.owner())))
                    .isInstanceOf(OrderViolationException.class);
            observed("lockstep.acquire").hasBeenStopped().hasLowCardinalityKeyValue("outcome", "violation");
        }
    }

    @Test
    void futureIsObservedUntilItIsDone() {
        Lease blocker = inner.acquireAsync(exclusive(KEY)).join();
        CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        observed("lockstep.acquire").hasBeenStarted().isNotStopped();
        assertThat(registry.getCurrentObservation()).isNull();
        blocker.close();
        waiting.join();
        await().untilAsserted(() ->
                observed("lockstep.acquire").hasBeenStopped().hasLowCardinalityKeyValue("outcome", "granted"));
    }

    @Test
    void cancelledFutureTakesTheRequestOutOfTheStore() {
        Lease blocker = inner.acquireAsync(exclusive(KEY)).join();
        CompletableFuture<Lease> waiting = locks.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        waiting.cancel(true);
        await().until(() -> locks.figures().equals(new LockFigures(1, 0)));
        observed("lockstep.acquire").hasBeenStopped().hasLowCardinalityKeyValue("outcome", "failed");
        blocker.close();
    }

    @Test
    void callIsAWaitAndThenAHoldInWhichTheTaskRuns() throws IOException {
        AtomicReference<String> within = new AtomicReference<>();
        String result = locks.<String, IOException>call(exclusive(KEY).as("me"), lease -> {
            within.set(registry.getCurrentObservation().getContextView().getName());
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThat(within).hasValue("lockstep.hold");
        observed("lockstep.acquire").hasBeenStopped().hasLowCardinalityKeyValue("outcome", "granted");
        observed("lockstep.hold")
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "completed")
                .hasHighCardinalityKeyValue("lockstep.owner", "me")
                .hasContextualNameEqualTo("hold user");
        assertThat(registry.getCurrentObservation()).isNull();
        assertThat(locks.figures()).isEqualTo(new LockFigures(0, 0));
    }

    @Test
    void exceptionOfTheTaskIsTheHoldsAndTheCallers() {
        IOException own = new IOException("the task's own");
        assertThatThrownBy(() -> locks.run(exclusive(KEY), lease -> {
                    throw own;
                }))
                .isSameAs(own);
        observed("lockstep.acquire").doesNotHaveError();
        observed("lockstep.hold").hasBeenStopped().hasLowCardinalityKeyValue("outcome", "failed");
        assertThat(locks.figures()).isEqualTo(new LockFigures(0, 0));
    }

    @Test
    void lossInACallIsReported() {
        assertThatThrownBy(() -> locks.run(exclusive(KEY), lease -> {
                    store.forget(lease.id());
                    clock.advance(Duration.ofMillis(3_400));
                    lease.lost().toCompletableFuture().join();
                }))
                .isInstanceOf(LeaseLostException.class);
        observed("lockstep.hold").hasBeenStopped().hasError().hasLowCardinalityKeyValue("outcome", "lost");
    }

    @Test
    void callThatIsNotGrantedHasNoHold() {
        Lease blocker = inner.acquireAsync(exclusive(KEY)).join();
        assertThatThrownBy(() -> locks.run(exclusive(KEY).withoutWaiting(), lease -> {}))
                .isInstanceOf(LockTimeoutException.class);
        observed("lockstep.acquire").hasLowCardinalityKeyValue("outcome", "refused");
        assertThat(registry.getCurrentObservation()).isNull();
        TestObservationRegistryAssert.assertThat(registry).hasNumberOfObservationsWithNameEqualTo("lockstep.hold", 0);
        blocker.close();
    }

    @Test
    void nestedRequestsStayNestedAndTheirSpansLieInTheHold() {
        locks.run(exclusive(KEY), outer -> {
            try (Lease nested = locks.acquire(exclusive(Tenancy.account("u1", "a1")))) {
                assertThat(nested.isHeld()).isTrue();
            }
        });
        TestObservationRegistryAssert.assertThat(registry)
                .hasNumberOfObservationsWithNameEqualTo("lockstep.acquire", 2);
    }

    @Test
    void interruptEndsTheWaitAndStays() {
        Lease blocker = inner.acquireAsync(exclusive(KEY)).join();
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> locks.acquire(exclusive(KEY).within(Duration.ofMinutes(1))))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        observed("lockstep.acquire").hasBeenStopped().hasLowCardinalityKeyValue("outcome", "failed");
        blocker.close();
    }

    @Test
    void handlerThatThrowsHasNoEffectOnOthers() {
        TestObservationRegistry broken = TestObservationRegistry.create();
        broken.observationConfig().observationHandler(new ThrowingHandler());
        Locks watched = new ObservedLocks(inner, broken, new LockObservationConvention());
        try (Lease lease = watched.acquire(exclusive(KEY))) {
            assertThat(lease.isHeld()).isTrue();
        }
        watched.run(exclusive(KEY), lease -> assertThat(lease.isHeld()).isTrue());
        watched.acquireAsync(exclusive(KEY)).join().close();
        assertThat(watched.figures()).isEqualTo(new LockFigures(0, 0));
    }

    private static final class ThrowingHandler implements ObservationHandler<Observation.Context> {
        @Override
        public void onStop(Observation.Context context) {
            throw new IllegalStateException("a handler's own, on purpose");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void recordedLineIsNotOneOfOurs() {
        try (Lease lease = locks.acquire(exclusive(KEY))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(locks.snapshot()
                            .holders()
                            .get(0)
                            .callSite()
                            .orElseThrow()
                            .toString())
                    .doesNotContain("ObservedLocks");
        }
    }
}
