package dev.lockstep.core;

import dev.lockstep.core.engine.LockSettings;
import dev.lockstep.core.engine.StoreLocks;
import dev.lockstep.core.engine.TermRule;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.internal.Durations;
import dev.lockstep.core.internal.RequestOptions;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options of {@link Locks}, the most used first. */
public final class LocksBuilder {
    static {
        ApiAccess.provide(new Access());
    }

    private final LockStore store;
    private Duration wait = Duration.ofSeconds(1);
    private Duration term = Duration.ofSeconds(10);
    private OrderPolicy orderPolicy = OrderPolicy.FAIL;
    private CallSites callSites = CallSites.WHEN_CONTENDED;
    private Limits limits = Limits.DEFAULT;
    private final List<LockListener> listeners = new ArrayList<>();
    private final List<LockKind> kinds = new ArrayList<>();
    private @Nullable Duration longestHold;
    private @Nullable String owner;
    private boolean closesStore = true;
    private boolean endsTerms = true;

    LocksBuilder(LockStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /** How long a request waits when it doesn't say; 1 second by default. */
    public LocksBuilder defaultWait(Duration duration) {
        wait = Durations.requirePositive(
                "The default wait", duration, "Give a positive duration, such as Duration.ofSeconds(1).");
        return this;
    }

    /** How long a lease lasts between renewals when the request doesn't say; 10 seconds by default. */
    public LocksBuilder defaultTerm(Duration duration) {
        term = Durations.requirePositive(
                "The default term", duration, "Give a positive duration, such as Duration.ofSeconds(10).");
        return this;
    }

    /** How long a lease is held at most when the request doesn't say, however often it is renewed; no limit by default. */
    public LocksBuilder longestHold(Duration duration) {
        longestHold =
                Durations.requirePositive("The longest hold", duration, "Give a positive duration, or leave it out.");
        return this;
    }

    /** Declares kinds now, so that a mistake in them shows at the start and not at the first request. */
    public LocksBuilder kinds(LockKind... declared) {
        kinds.addAll(List.of(declared));
        return this;
    }

    /** Who asks when the request doesn't say; the thread's name by default. */
    public LocksBuilder owner(String label) {
        if (label == null || label.isBlank()) {
            throw new InvalidRequestException("The owner label is empty. Name the service, such as \"billing\".");
        }
        owner = label;
        return this;
    }

    /** What happens to nested requests against the order; they fail by default. */
    public LocksBuilder orderPolicy(OrderPolicy policy) {
        orderPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** When the asking line of code is recorded; when a request has to wait for more than a moment, by default. */
    public LocksBuilder callSites(CallSites when) {
        callSites = Objects.requireNonNull(when, "when");
        return this;
    }

    /** What one request may ask for; {@link Limits#DEFAULT} by default. */
    public LocksBuilder limits(Limits most) {
        limits = Objects.requireNonNull(most, "most");
        return this;
    }

    /** Sends all events to this listener. */
    public LocksBuilder listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Leaves the store open when the locks are closed, because others use it too. */
    public LocksBuilder leaveStoreOpen() {
        closesStore = false;
        return this;
    }

    /**
     * Leaves leases that are not renewed ({@link LockRequest#forTerm}) to their term when the locks are closed, because others outside of this
     * process may count on them. Where the store is closed too, that needs one that outlives it: Redis. On a database they end with their
     * connections.
     */
    public LocksBuilder leaveLeasesToTheirTerms() {
        endsTerms = false;
        return this;
    }

    /** The locks. */
    public Locks build() {
        TermRule rule = TermRule.of(term, true, longestHold);
        LockSettings settings = new LockSettings(
                store.clock(), wait, rule, longestHold, owner, orderPolicy, callSites, limits, closesStore, endsTerms);
        return new StoreLocks(store, settings, List.copyOf(kinds), List.copyOf(listeners));
    }

    private static final class Access extends ApiAccess {
        @Override
        public int size(LockRequest request) {
            return request.size();
        }

        @Override
        public LockKey key(LockRequest request, int index) {
            return request.key(index);
        }

        @Override
        public LockMode mode(LockRequest request, int index) {
            return request.mode(index);
        }

        @Override
        public RequestOptions options(LockRequest request) {
            return request.options();
        }

        @Override
        public int ancestorHash(LockKey key, int steps) {
            return key.ancestorHash(steps);
        }

        @Override
        public Loss loss(Loss.Reason reason, @Nullable Throwable cause) {
            return new Loss(reason, cause);
        }

        @Override
        public LeaseLostException lost(Lease lease, Loss loss) {
            return new LeaseLostException(lease, loss);
        }

        @Override
        public LeaseLostException parentEnded(Lease lease, Loss loss) {
            return LeaseLostException.ofChild(lease, loss);
        }
    }
}
