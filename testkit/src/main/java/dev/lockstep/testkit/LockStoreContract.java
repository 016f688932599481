package dev.lockstep.testkit;

import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every store must do, as tests. A store's own test extends this class and makes the store; it runs everything here
 * unchanged. What a store can't do it declares as a {@link dev.lockstep.core.spi.StoreTrait}, and the tests that need it are
 * skipped with that name as the reason.
 *
 * <pre>{@code
 * class MyStoreContractTest extends LockStoreContract {
 *     @Override
 *     protected LockStore createStore() {
 *         return MyStore.at(server.url());
 *     }
 * }
 * }</pre>
 *
 * <p>Each test works on a new store that must be empty, closes all leases, and finds the store empty at the end.
 */
@Timeout(300)
public abstract class LockStoreContract
        implements HierarchyContract,
                ModesContract,
                SetsContract,
                DeadlockContract,
                WaitsContract,
                FairnessContract,
                LeaseContract,
                RenewalContract,
                TokenContract,
                NestingContract,
                GuardContract,
                SnapshotContract,
                InputContract {
    private @Nullable ContractStage stage;

    /** For subclasses. */
    protected LockStoreContract() {}

    /** A new store in which nothing is locked. */
    protected abstract LockStore createStore() throws Exception;

    /**
     * The store of the second party. By default both use one; a store that works across processes makes another one here, with
     * connections of its own to the same server.
     */
    protected LockStore secondStore(LockStore first) {
        return first;
    }

    /** Lets time pass for the store and the parties; by default in real time. A store on a movable clock moves it. */
    protected void letTimePass(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }

    /** How long leases last that are to end in a test; 2 seconds by default. */
    protected Duration term() {
        return Duration.ofSeconds(2);
    }

    /** How long leases last that must not end while a test lets a part of it pass; 5 seconds by default. */
    protected Duration lastingTerm() {
        return Duration.ofSeconds(5);
    }

    @BeforeEach
    final void setTheStage() throws Exception {
        stage = new ContractStage(createStore(), this::secondStore);
    }

    @AfterEach
    final void clearTheStage() {
        if (stage != null) {
            stage.close();
        }
    }

    @Override
    @SuppressWarnings("exports")
    public final ContractStage stage() {
        if (stage == null) {
            throw new IllegalStateException("There is no stage outside of a test");
        }
        return stage;
    }

    @Override
    public final void passTime(Duration time) {
        try {
            letTimePass(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while time passed", e);
        }
    }

    @Override
    public final Duration leaseTerm() {
        return term();
    }

    @Override
    public final Duration longTerm() {
        return lastingTerm();
    }
}
