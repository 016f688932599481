package dev.lockstep.core.fallback;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.Epoch.Side;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the store whose turn it is, and counts a grant only if it still was that store's turn when the grant arrived. Has no
 * threads of its own.
 */
final class FallbackRouter {
    private final Stores stores;
    private final FallbackOptions options;
    private final EpochClaim claim;
    private final Health health;
    private final InFlight inFlight;
    private final Executor background;

    FallbackRouter(
            Stores stores,
            FallbackOptions options,
            EpochClaim claim,
            Health health,
            InFlight inFlight,
            Executor background) {
        this.stores = stores;
        this.options = options;
        this.claim = claim;
        this.health = health;
        this.inFlight = inFlight;
        this.background = background;
    }

    // ---- taking

    CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        requireWithinLongest(request.term());
        AsyncRoute route = new AsyncRoute(this, stores, inFlight, request, blocking);
        route.go();
        return route;
    }

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        requireWithinLongest(request.term());
        while (true) {
            EpochView view = claim.view();
            if (view.isGranting()) {
                StoreAnswer answer = ask(request, view);
                if (answer != null) {
                    return answer;
                }
            } else if (!mayWait(request)) {
                return endWithout(view, request);
            }
            inFlight.await(request);
        }
    }

    /** One question to the store whose turn it is; returns null if the request is to wait for another turn. */
    private @Nullable StoreAnswer ask(StoreRequest request, EpochView view) throws InterruptedException {
        RoutedRequest routed = route(request, view);
        try {
            StoreAnswer answer = storeFor(view).acquire(routed);
            EpochGrant late = lateGrant(routed, answer);
            if (late != null) {
                stores.releaseQuietly(late);
                return againOrEnd(request);
            }
            return judge(request, routed, answer);
        } catch (LockException e) {
            return retryOrThrow(request, routed, e);
        } finally {
            inFlight.remove(routed);
        }
    }

    /** Makes the request known as under way, so that it is cancelled when its epoch ends. */
    RoutedRequest route(StoreRequest request, EpochView view) {
        RoutedRequest routed = new RoutedRequest(request, view, outerOf(request, view));
        request.markStart();
        inFlight.add(routed);
        if (claim.known().epoch().number() != view.epoch().number()) { // it ended before this could be cancelled
            routed.callOff();
        }
        return routed;
    }

    /** The store that grants, notified of all kinds. */
    LockStore storeFor(EpochView view) {
        stores.declareAt(view.epoch().side());
        return stores.at(view.epoch().side());
    }

    private static List<StoreGrant> outerOf(StoreRequest request, EpochView view) {
        List<StoreGrant> inner = new ArrayList<>(request.outer().size());
        for (StoreGrant outer : request.outer()) {
            EpochGrant grant = (EpochGrant) outer;
            if (grant.epoch() != view.epoch().number()) {
                throw new LockException(
                        ErrorCode.LEASE_LOST,
                        "An outer lease was granted in epoch " + grant.epoch() + ", which has ended: epoch "
                                + view.epoch().number()
                                + " has begun with a switch to another store. Let this exception go through, and start again from the"
                                + " outside.",
                        keysOf(request),
                        null);
            }
            inner.add(grant.inner());
        }
        return inner;
    }

    /**
     * The grant that arrived when it was no longer the store's turn; null if it counts, or is none. It has to be released before the same
     * lease is asked for again, or the release would meet what is asked for then.
     */
    @Nullable
    EpochGrant lateGrant(RoutedRequest routed, StoreAnswer answer) {
        return answer instanceof StoreGrant grant && !claim.isStill(routed.view()) ? given(routed, grant) : null;
    }

    private static EpochGrant given(RoutedRequest routed, StoreGrant grant) {
        Epoch epoch = routed.view().epoch();
        return new EpochGrant(epoch.number(), epoch.side(), grant);
    }

    /** What an answer that is not late is worth; null if the request is to wait for another turn. */
    @Nullable
    StoreAnswer judge(StoreRequest request, RoutedRequest routed, StoreAnswer answer) {
        if (answer instanceof StoreGrant grant) {
            return given(routed, grant);
        }
        boolean again = answer instanceof StoreBusy && routed.isCalledOff() && mayWait(request);
        return again ? null : answer;
    }

    /** Null for another turn, if there is time. */
    @Nullable
    StoreAnswer againOrEnd(StoreRequest request) {
        return mayWait(request) ? null : endWithout(claim.view(), request);
    }

    /** Whether a store that can't be reached is worth another try: this or the other one may grant before the request's time has ended. */
    @Nullable
    StoreAnswer retryOrThrow(StoreRequest request, RoutedRequest routed, LockException error) {
        boolean passes = error.code() == ErrorCode.STORE_UNAVAILABLE || routed.isCalledOff();
        if (!passes || !mayWait(request)) {
            throw error;
        }
        return null;
    }

    static boolean mayWait(StoreRequest request) {
        return request.waits() && !request.isCancelled() && !request.deadline().passed();
    }

    /** The end of a request for which there was no store in time. One that was cancelled ends as if its time had ended. */
    StoreAnswer endWithout(EpochView view, StoreRequest request) {
        if (request.isCancelled()) {
            return new StoreBusy(request.plan().locks().get(0), List.of());
        }
        throw notGranting(view, keysOf(request));
    }

    private LockException notGranting(EpochView view, List<LockKey> keys) {
        String reason = explain(view.grants());
        return view.grants() == FallbackState.Grants.QUIET
                ? new GrantsPausedException(reason, keys, state().quietFor())
                : new LockException(ErrorCode.STORE_UNAVAILABLE, reason, keys, null);
    }

    private static List<LockKey> keysOf(StoreRequest request) {
        return request.plan().locks().stream().map(PlannedLock::key).toList();
    }

    private String explain(FallbackState.Grants grants) {
        FallbackState state = state();
        return switch (grants) {
            case QUIET ->
                "No lock is granted for another " + Math.max(1, state.quietFor().toMillis()) + " ms: " + state.active()
                        + " takes over in epoch " + state.epoch() + ", and waits until every lease of "
                        + (state.onSecondary() ? state.primary() : state.secondary())
                        + " has ended. Try again after that.";
            case STOPPED ->
                "No lock is granted: " + state.secondary() + ", which says whose turn it is, has not answered for "
                        + options.epochTerm().toMillis()
                        + " ms, and another process may have switched. Try again when it answers."
                        + hintToGoOn(state) + " What it said last: " + claim.lastFault();
            default -> "The store changed while the lock was taken. Try again.";
        };
    }

    private String hintToGoOn(FallbackState state) {
        boolean could = !state.onSecondary() && options.withoutSecondary() == WithoutSecondary.STOP;
        return could ? " (With withoutSecondary(KEEP_FENCED) the pair continues without it, fenced.)" : "";
    }

    void requireWithinLongest(Duration term) {
        if (term.compareTo(options.longestTerm()) > 0) {
            throw new InvalidRequestException("A lease term of " + term.toMillis()
                    + " ms is longer than the pair's longestTerm, which is "
                    + options.longestTerm().toMillis()
                    + " ms. Ask for a shorter term (leases without one are renewed as long as needed), or give the pair of every process a"
                    + " greater longestTerm(...). It is part of the time in which nothing is granted after a switch.");
        }
    }

    // ---- keeping and releasing

    List<StoreGrant> renew(List<Renewal> renewals) {
        renewals.forEach(renewal -> requireWithinLongest(renewal.term()));
        EpochView view = claim.view();
        List<StoreGrant> ended = new ArrayList<>();
        Map<StoreGrant, StoreGrant> outside = new HashMap<>();
        List<Renewal> inner = new ArrayList<>();
        for (Renewal renewal : renewals) {
            EpochGrant grant = (EpochGrant) renewal.grant();
            if (grant.epoch() == view.epoch().number()) {
                outside.put(grant.inner(), grant);
                inner.add(new Renewal(grant.inner(), renewal.term()));
            } else {
                ended.add(grant);
            }
        }
        if (!inner.isEmpty()) {
            requireGranting(view);
            for (StoreGrant gone : stores.at(view.epoch().side()).renew(inner)) {
                ended.add(outside.getOrDefault(gone, gone));
            }
        }
        return ended;
    }

    private void requireGranting(EpochView view) {
        if (!view.isGranting()) {
            throw notGranting(view, List.of());
        }
    }

    boolean release(EpochGrant grant) {
        boolean over = grant.epoch() != claim.known().epoch().number();
        if (over && grant.side() == Side.PRIMARY && !health.isReachable()) {
            background.execute(() -> stores.releaseQuietly(grant));
            return false;
        }
        return stores.at(grant.side()).release(grant.inner());
    }

    // ---- sight

    void declare(List<KindDefinition> kinds) {
        stores.declare(kinds);
    }

    LockSnapshot snapshot() {
        FallbackState state = state();
        try {
            return stores.at(claim.known().epoch().side()).snapshot().in(state);
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
                throw e;
            }
            return new LockSnapshot(List.of(), List.of()).in(state); // the state is what people want to see now
        }
    }

    FallbackState state() {
        KnownEpoch seen = claim.known();
        return new FallbackState(
                stores.at(Side.PRIMARY).name(),
                stores.at(Side.SECONDARY).name(),
                seen.epoch().side() == Side.SECONDARY,
                seen.epoch().number(),
                claim.look().grants(),
                Duration.ofNanos(claim.quietNanos()),
                health.isReachable(),
                seen.isAnswered());
    }

    void ping() {
        EpochView view = claim.view();
        requireGranting(view);
        stores.at(view.epoch().side()).ping();
    }

    EpochClaim claim() {
        return claim;
    }
}
