package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;

/** The words that the contract's tests are written in. */
@SuppressWarnings("exports")
interface Scenario {
    /** The stage of the running test. */
    ContractStage stage();

    /** Lets time pass on the clocks that the store and the parties go by. */
    void passTime(Duration time);

    /** How long leases last that are to end in this contract. */
    Duration leaseTerm();

    /** How long leases last that are to stay while a test lets time pass. */
    Duration longTerm();

    /** A moment on the clock that the store and the parties go by. */
    default long moment() {
        return stage().store().clock().nanos();
    }

    /**
     * Checks what is so for this time from then on. On a machine that stood still until most of it had passed, nothing can be said:
     * then what was found to be otherwise is no fault. Returns whether everything was as expected.
     */
    default boolean during(Duration time, long start, Runnable check) {
        try {
            check.run();
            return true;
        } catch (AssertionError | LeaseLostException e) {
            if (moment() - start < time.toNanos() / 8 * 7) {
                throw e;
            }
            return false;
        }
    }

    /** The party that is asked first. */
    default Locks locks() {
        return stage().first();
    }

    /** The party that competes with it. */
    default Locks other() {
        return stage().second();
    }

    /** A further party each time, which holds nothing. */
    default Locks third() {
        return stage().party(options -> options);
    }

    /** Does something on a thread with this name. */
    default <T> Task<T> start(String name, Callable<T> work) {
        return Task.start(name, work);
    }

    /** Asks for locks on a thread with this name, waiting if it must. */
    default Task<Lease> startAcquire(String name, Locks party, LockRequest request) {
        return start(name, () -> party.acquire(request));
    }

    /** The lease that must be granted without waiting. */
    static Lease take(Locks party, LockRequest request) {
        return granted(request, party.tryAcquire(request));
    }

    /** The same, as a child of another lease. */
    static Lease take(Lease parent, LockRequest request) {
        return granted(request, parent.tryAcquire(request));
    }

    private static Lease granted(LockRequest request, Attempt attempt) {
        assertThat(attempt).as("%s at once", request).isInstanceOf(Granted.class);
        return ((Granted) attempt).lease();
    }

    /** The refusal that must be the answer when it doesn't wait. */
    static Busy refused(Locks party, LockRequest request) {
        Attempt attempt = party.tryAcquire(request);
        assertThat(attempt).as("%s at once", request).isInstanceOf(Busy.class);
        return (Busy) attempt;
    }

    /** Skips the test, visibly, on a store that declares this trait. */
    default void needsStoreWithout(StoreTrait trait, String reason) {
        Assumptions.assumeFalse(
                stage().store().traits().contains(trait),
                () -> "The store '" + stage().store().name() + "' declares " + trait + ": " + reason);
    }
}
