package dev.lockstep.core.fallback;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FallbackState;
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
 * Sends requests to the store whose turn it is, and counts a grant only if it still was that store's turn when the grant was had. Has no
 * threads of its own.
 */
final class Pair {
    private final Stores stores;
    private final Options options;
    private final Turns turns;
    private final Health health;
    private final UnderWay underWay;
    private final Executor background;

    Pair(Stores stores, Options options, Turns turns, Health health, UnderWay underWay, Executor background) {
        this.stores = stores;
        this.options = options;
        this.turns = turns;
        this.health = health;
        this.underWay = underWay;
        this.background = background;
    }

    // ---- taking

    CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        requireWithinLongest(request.term());
        AsyncRoute route = new AsyncRoute(this, stores, underWay, request, blocking);
        route.go();
        return route;
    }

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        requireWithinLongest(request.term());
        while (true) {
            Standing standing = turns.standing();
            if (standing.isGranting()) {
                StoreAnswer answer = ask(request, standing);
                if (answer != null) {
                    return answer;
                }
            } else if (!mayWait(request)) {
                return endWithout(standing, request);
            }
            underWay.await(request);
        }
    }

    /** One question to the store whose turn it is; answers null if the request is to wait for another turn. */
    private @Nullable StoreAnswer ask(StoreRequest request, Standing standing) throws InterruptedException {
        RoutedRequest routed = route(request, standing);
        try {
            StoreAnswer answer = storeFor(standing).acquire(routed);
            EpochGrant late = lateGrant(routed, answer);
            if (late != null) {
                stores.releaseQuietly(late);
                return againOrEnd(request);
            }
            return judge(request, routed, answer);
        } catch (LockException e) {
            return retryOrThrow(request, routed, e);
        } finally {
            underWay.remove(routed);
        }
    }

    /** Makes the request known as under way, so that it is called off when its epoch ends. */
    RoutedRequest route(StoreRequest request, Standing standing) {
        RoutedRequest routed = new RoutedRequest(request, standing, outerOf(request, standing));
        request.markStart();
        underWay.add(routed);
        if (turns.seen().epoch().number() != standing.epoch().number()) { // it ended before anyone could call this off
            routed.callOff();
        }
        return routed;
    }

    /** The store that grants, told of all kinds. */
    LockStore storeFor(Standing standing) {
        stores.declareAt(standing.epoch().side());
        return stores.at(standing.epoch().side());
    }

    private static List<StoreGrant> outerOf(StoreRequest request, Standing standing) {
        List<StoreGrant> inner = new ArrayList<>(request.outer().size());
        for (StoreGrant outer : request.outer()) {
            EpochGrant grant = (EpochGrant) outer;
            if (grant.epoch() != standing.epoch().number()) {
                throw new LockException(
                        ErrorCode.LEASE_LOST,
                        "An outer lease was granted in epoch " + grant.epoch() + ", which is over: epoch "
                                + standing.epoch().number()
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
     * The grant that was had when it was no longer the store's turn; null if it counts, or is none. It has to be given back before the same
     * lease is asked for again, or the release would meet what is asked for then.
     */
    @Nullable
    EpochGrant lateGrant(RoutedRequest routed, StoreAnswer answer) {
        return answer instanceof StoreGrant grant && !turns.isStill(routed.standing()) ? given(routed, grant) : null;
    }

    private static EpochGrant given(RoutedRequest routed, StoreGrant grant) {
        Epoch epoch = routed.standing().epoch();
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
        return mayWait(request) ? null : endWithout(turns.standing(), request);
    }

    /** Whether a store that can't be reached is worth another try: this or the other one may grant before the request's time is over. */
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

    /** The end of a request for which there was no store in time. One that was called off ends as if its time were over. */
    StoreAnswer endWithout(Standing standing, StoreRequest request) {
        if (request.isCancelled()) {
            return new StoreBusy(request.plan().locks().get(0), List.of());
        }
        throw new LockException(ErrorCode.STORE_UNAVAILABLE, explain(standing.grants()), keysOf(request), null);
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
                        + " is over. Try again after that.";
            case STOPPED ->
                "No lock is granted: " + state.secondary() + ", which says whose turn it is, has not answered for "
                        + options.epochTerm().toMillis()
                        + " ms, and another process may have switched. Try again when it answers."
                        + hintToGoOn(state) + " What it said last: " + turns.lastFault();
            default -> "The store changed while the lock was taken. Try again.";
        };
    }

    private String hintToGoOn(FallbackState state) {
        boolean could = !state.onSecondary() && options.withoutSecondary() == WithoutSecondary.STOP;
        return could ? " (With withoutSecondary(KEEP_FENCED) the pair goes on without it, fenced.)" : "";
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

    // ---- keeping and giving back

    List<StoreGrant> renew(List<Renewal> renewals) {
        renewals.forEach(renewal -> requireWithinLongest(renewal.term()));
        Standing standing = turns.standing();
        List<StoreGrant> ended = new ArrayList<>();
        Map<StoreGrant, StoreGrant> outside = new HashMap<>();
        List<Renewal> inner = new ArrayList<>();
        for (Renewal renewal : renewals) {
            EpochGrant grant = (EpochGrant) renewal.grant();
            if (grant.epoch() == standing.epoch().number()) {
                outside.put(grant.inner(), grant);
                inner.add(new Renewal(grant.inner(), renewal.term()));
            } else {
                ended.add(grant);
            }
        }
        if (!inner.isEmpty()) {
            requireGranting(standing);
            for (StoreGrant gone : stores.at(standing.epoch().side()).renew(inner)) {
                ended.add(outside.getOrDefault(gone, gone));
            }
        }
        return ended;
    }

    private void requireGranting(Standing standing) {
        if (!standing.isGranting()) {
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, explain(standing.grants()), List.of(), null);
        }
    }

    boolean release(EpochGrant grant) {
        boolean over = grant.epoch() != turns.seen().epoch().number();
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
            return stores.at(turns.seen().epoch().side()).snapshot().in(state);
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
                throw e;
            }
            return new LockSnapshot(List.of(), List.of()).in(state); // the state is what people want to see now
        }
    }

    FallbackState state() {
        Seen seen = turns.seen();
        return new FallbackState(
                stores.at(Side.PRIMARY).name(),
                stores.at(Side.SECONDARY).name(),
                seen.epoch().side() == Side.SECONDARY,
                seen.epoch().number(),
                turns.look().grants(),
                Duration.ofNanos(turns.quietNanos()),
                health.isReachable(),
                seen.isAnswered());
    }

    void ping() {
        Standing standing = turns.standing();
        requireGranting(standing);
        stores.at(standing.epoch().side()).ping();
    }

    Turns turns() {
        return turns;
    }
}
