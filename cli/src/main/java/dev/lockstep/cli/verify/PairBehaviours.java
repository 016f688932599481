package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FallbackState;
import dev.lockstep.core.FallbackState.Grants;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What a store with a fallback shows. The store stays where it is: a party is cut off from it on this side of the network. */
final class PairBehaviours {
    private static final Duration LOOK = Duration.ofMillis(50);

    private PairBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "X4.1",
                        "the store and its fallback are started as a pair by three parties",
                        "all of them know the same epoch, in which the store grants locks",
                        stage -> tryStart(stage, new Things("X4.1"))),
                new Behaviour(
                        "X4.2",
                        "a lock that is held for longer than somebody waits for it",
                        "the wait ends, and the pair stays on the store: a lock that is taken is no reason to switch",
                        stage -> tryContention(stage, new Things("X4.2"))),
                new Behaviour(
                        "X4.3",
                        "one party is cut off from the store, where another holds a lock; later it is back",
                        "the pair switches for both, and back; nobody gets the lock while another can count on it, and tokens rise",
                        stage -> tryCut(stage, new Things("X4.3"))));
    }

    private static Outcome tryStart(Stage stage, Things things) throws Exception {
        FallbackState first = granting(stage.first());
        requireSame(first, granting(stage.second()));
        requireSame(first, granting(stage.third()));
        try (Lease lease = stage.take(stage.first(), exclusive(things.resource("r1")))) {
            return new Outcome.Passed("epoch " + first.epoch() + " on " + first.active() + ", with " + first.secondary()
                    + " as the fallback; the first token is " + lease.token());
        }
    }

    // ---- a lock that is taken

    private static Outcome tryContention(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        Locks holder = stage.pairedParty(new Line());
        Locks other = stage.pairedParty(new Line());
        FallbackState before = granting(other);
        Duration wait = stage.pace().term().multipliedBy(2);
        try (Lease lease = stage.take(holder, exclusive(key))) {
            if (waited(other, key, wait) instanceof Granted granted) {
                granted.lease().close();
                throw Mismatch.notExcluded(key + " was granted to one party while another held " + lease.keys());
            }
        }
        FallbackState after = state(other);
        if (after.epoch() != before.epoch()) {
            throw switched("epoch " + before.epoch() + " on " + before.active() + " became epoch " + after.epoch()
                    + " on " + after.active());
        }
        return new Outcome.Passed(
                "waited " + Figures.of(wait) + " in vain, in epoch " + before.epoch() + " all the time");
    }

    private static Attempt waited(Locks party, LockKey key, Duration wait) throws Mismatch {
        try {
            return party.tryAcquire(exclusive(key).within(wait));
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
                throw e;
            }
            throw switched(String.valueOf(e.getMessage()));
        }
    }

    private static Mismatch switched(String seen) {
        return Mismatch.of(
                seen,
                "A lock that is taken makes the pair switch. That ends all leases, and nothing is granted for a while.");
    }

    // ---- a store that can't be reached

    private static Outcome tryCut(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        Line line = new Line();
        Locks near = stage.pairedParty(new Line());
        Locks far = stage.pairedParty(line);
        FallbackState before = granting(far);
        Lease first = stage.take(near, exclusive(key));
        line.cut();
        long start = System.nanoTime();
        Lease second = next(stage, first, far, key);
        Duration there = Duration.ofNanos(System.nanoTime() - start);
        awaitActive(stage, near, before.secondary());
        line.mend();
        start = System.nanoTime();
        Lease third = next(stage, second, near, key);
        Duration back = Duration.ofNanos(System.nanoTime() - start);
        awaitActive(stage, far, before.primary());
        third.close();
        return new Outcome.Passed(before.secondary() + " granted after " + Figures.of(there) + ", "
                + before.primary() + " again after " + Figures.of(back) + ", with leases of at most "
                + Figures.of(stage.pace().term()) + "; tokens " + first.token() + ", " + second.token() + ", "
                + third.token());
    }

    /** The lease that another party gets only because the pair switches. */
    private static Lease next(Stage stage, Lease before, Locks heir, LockKey key) throws Exception {
        Work<Succession> work = Succession.start(before, heir, key);
        Succession succession = await(stage, work);
        if (succession.met()) {
            throw Mismatch.notExcluded(
                    "a switch gave " + key + " to one party while another could still count on its lease");
        }
        if (succession.next().token().compareTo(before.token()) <= 0) {
            throw Mismatch.of(
                    "the lease before the switch has the token " + before.token() + ", and the one after it "
                            + succession.next().token(),
                    "Who guards a resource by tokens would let the one before write over the work of the next.");
        }
        return succession.next();
    }

    private static Succession await(Stage stage, Work<Succession> work) throws Exception {
        Duration limit = stage.pace().patience();
        try {
            Succession succession = work.result(limit.multipliedBy(2));
            stage.pulse().beat();
            return succession;
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_UNAVAILABLE && e.code() != ErrorCode.TIMEOUT) {
                throw e;
            }
            throw Mismatch.of(
                    "the lock could not be had within " + Figures.of(limit) + ": " + e.getMessage(),
                    "The pair doesn't switch, or takes too long: while the store is away, work waits.");
        }
    }

    // ---- states

    private static FallbackState state(Locks party) throws Mismatch {
        Optional<FallbackState> state = party.snapshot().fallback();
        return state.orElseThrow(() -> Mismatch.notFree("the parties' store is no pair"));
    }

    private static FallbackState granting(Locks party) throws Mismatch {
        FallbackState state = state(party);
        if (state.grants() != Grants.YES || state.onSecondary()) {
            throw Mismatch.notFree("the pair is on " + state.active() + ", and whether it grants is " + state.grants());
        }
        return state;
    }

    private static void requireSame(FallbackState one, FallbackState other) throws Mismatch {
        if (one.epoch() != other.epoch()) {
            throw Mismatch.notExcluded("epoch " + one.epoch() + " on " + one.active() + " is known, and epoch "
                    + other.epoch() + " on " + other.active());
        }
    }

    /** A party that hears of a switch late grants nothing until then. */
    private static void awaitActive(Stage stage, Locks party, String store) throws Exception {
        long start = System.nanoTime();
        while (!state(party).active().equals(store)) {
            if (System.nanoTime() - start > stage.pace().patience().toNanos()) {
                throw Mismatch.notExcluded("one party takes locks on " + store + ", another on "
                        + state(party).active());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
    }
}
