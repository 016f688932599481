package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackState.Grants;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What a store with a fallback shows. The store stays where it is: a party is cut off from it on this side of the network. */
final class PairBehaviours {
    private static final Duration LOOK = Duration.ofMillis(50);

    /** Clocks are read one after the other, and rounded. */
    private static final Duration SLACK = Duration.ofMillis(50);

    /** How often a trial is tried at most when it proves nothing. */
    private static final int ROUNDS = 5;

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
                        "a lock that is held for longer than a request waits for it",
                        "the wait ends, and the pair stays on the store: a lock that is taken is no reason to switch",
                        stage -> tryContention(stage, new Things("X4.2"))),
                new Behaviour(
                        "X4.3",
                        "one party is cut off from the store, where another holds a lock; later it is back",
                        "the pair switches for both, and back, each time after all leases of before; tokens rise",
                        stage -> trySwitch(stage, new Things("X4.3"))));
    }

    private static TrialOutcome tryStart(Stage stage, Things things) throws Exception {
        FallbackState first = granting(stage, stage.first());
        for (Locks other : List.of(stage.second(), stage.third())) {
            FallbackState state = granting(stage, other);
            if (state.epoch() != first.epoch()) {
                throw Mismatch.notExcluded(
                        "one party grants in epoch " + first.epoch() + ", another in epoch " + state.epoch());
            }
        }
        try (Lease lease = stage.first().acquire(exclusive(things.resource("r1")))) {
            return new TrialOutcome.Passed("epoch " + first.epoch() + " on " + first.active() + ", with "
                    + first.secondary() + " as the fallback; the first token is " + lease.token());
        }
    }

    // ---- a lock that is taken

    private static TrialOutcome tryContention(Stage stage, Things things) throws Exception {
        Locks holder = stage.pairedParty(new Line());
        Locks other = stage.pairedParty(new Line());
        return conclusive(things, key -> contend(stage, holder, other, key));
    }

    private static TrialOutcome contend(Stage stage, Locks holder, Locks other, LockKey key) throws Exception {
        FallbackState before = granting(stage, other);
        Duration wait = stage.pace().term().multipliedBy(2);
        try (Lease lease = holder.acquire(exclusive(key))) {
            if (isGrantedWithin(other, key, wait, before)) {
                lease.ensureHeld(); // else this machine stood still
                throw Mismatch.notExcluded(key + " was granted to one party while another held " + lease.keys());
            }
        }
        requireNoSwitch(before, state(other));
        return new TrialOutcome.Passed(
                "waited " + Figures.of(wait) + " without success, in epoch " + before.epoch() + " all the time");
    }

    private static boolean isGrantedWithin(Locks party, LockKey key, Duration wait, FallbackState before)
            throws Mismatch, Undecided {
        try {
            if (party.tryAcquire(exclusive(key).within(wait)) instanceof Granted granted) {
                granted.lease().close();
                return true;
            }
            return false;
        } catch (LockException e) {
            requireNoSwitch(before, state(party));
            if (e.code() == ErrorCode.STORE_UNAVAILABLE) { // the pair grants nothing for a while after it stood still
                throw new Undecided(e);
            }
            throw e;
        }
    }

    private static void requireNoSwitch(FallbackState before, FallbackState after) throws Mismatch {
        if (after.epoch() != before.epoch()) {
            throw Mismatch.of(
                    "epoch " + before.epoch() + " on " + before.active() + " became epoch " + after.epoch() + " on "
                            + after.active(),
                    after.primaryReachable()
                            ? "A lock that is taken makes the pair switch. That ends all leases, and nothing is granted for a while."
                            : "The store can't be reached, which is a reason to switch and proves nothing. Try again when it can.");
        }
    }

    // ---- a store that can't be reached

    private static TrialOutcome trySwitch(Stage stage, Things things) throws Exception {
        Line line = new Line();
        Locks near = stage.pairedParty(new Line());
        Locks far = stage.pairedParty(line);
        return conclusive(things, key -> switchThereAndBack(stage, line, near, far, key));
    }

    private static TrialOutcome switchThereAndBack(Stage stage, Line line, Locks near, Locks far, LockKey key)
            throws Exception {
        line.mend(); // it is still cut if the round before ended in the middle
        FallbackState before = granting(stage, far);
        granting(stage, near);
        Lease first = near.acquire(exclusive(key));
        Switched there = next(stage, first, far, key, line::cut);
        requireQuiet(stage, there.after());
        awaitState(stage, near, FallbackState::onSecondary);
        Switched back = next(stage, there.lease(), near, key, line::mend);
        requireQuietAfterReturn(stage, back.after(), line);
        awaitState(stage, far, state -> !state.onSecondary());
        back.lease().close();
        return new TrialOutcome.Passed(before.secondary() + " granted after " + Figures.of(there.after()) + ", "
                + before.primary() + " again after " + Figures.of(back.after()) + ", with leases of at most "
                + Figures.of(stage.pace().term()) + "; tokens " + first.token() + ", "
                + there.lease().token() + ", " + back.lease().token());
    }

    /** A lease of the other store, and how long it took to get it. */
    private record Switched(Lease lease, Duration after) {}

    /** The lease that another party gets only because the pair switches, for which this is the reason. */
    private static Switched next(Stage stage, Lease before, Locks heir, LockKey key, Runnable reason) throws Exception {
        long start = System.nanoTime();
        reason.run();
        Succession succession = await(stage, Succession.start(before, heir, key));
        Switched switched = new Switched(succession.next(), Duration.ofNanos(System.nanoTime() - start));
        if (succession.met()) {
            throw Mismatch.notExcluded(
                    "a switch gave " + key + " to one party while another could still count on its lease");
        }
        requireLater(before, switched.lease());
        return switched;
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
                    "the lock could not be acquired within " + Figures.of(limit) + ": " + e.getMessage(),
                    "The pair doesn't switch, or takes too long: while the store is unreachable, work waits.");
        }
    }

    private static void requireLater(Lease before, Lease next) throws Mismatch {
        if (next.token().epoch() == before.token().epoch()) {
            before.ensureHeld(); // else it was lost because this machine stood still, and no switch was needed
        }
        if (next.token().epoch() <= before.token().epoch()) {
            throw Mismatch.of(
                    "the lease before the switch has the token " + before.token() + ", and the one after it "
                            + next.token(),
                    "Who guards a resource by tokens would let the one before write over the work of the next.");
        }
    }

    /** Two terms: one until no party counts on the epoch before, and one for its last lease. */
    private static void requireQuiet(Stage stage, Duration after) throws Mismatch {
        Duration quiet = stage.pace().term().multipliedBy(2);
        if (after.plus(SLACK).compareTo(quiet) < 0) {
            throw Mismatch.notExcluded("the other store granted after " + Figures.of(after)
                    + ", and leases of before may last for " + Figures.of(quiet));
        }
    }

    /** A party that stood still did not object while it was cut off, so that the return began before the line was mended. */
    private static void requireQuietAfterReturn(Stage stage, Duration after, Line line) throws Mismatch, Undecided {
        try {
            requireQuiet(stage, after);
        } catch (Mismatch e) {
            if (line.longestSilence().compareTo(stage.pace().term()) >= 0) {
                throw new Undecided(e);
            }
            throw e;
        }
    }

    // ---- rounds

    /** A round of a trial, with a key that no other round uses. */
    @FunctionalInterface
    private interface Round {
        TrialOutcome run(LockKey key) throws Exception;
    }

    /** What was seen has another reason when the machine stood still. */
    private static final class Undecided extends Exception {
        private static final long serialVersionUID = 1;

        private final Exception seen;

        Undecided(Exception seen) {
            super(seen);
            this.seen = seen;
        }
    }

    /** Repeats a round that proves nothing: a lease was lost, or a store was out of reach, because the machine stood still. */
    private static TrialOutcome conclusive(Things things, Round round) throws Exception {
        for (int i = 0; ; i++) {
            try {
                return round.run(things.resources().get(i));
            } catch (LeaseLostException e) {
                if (i == ROUNDS - 1) {
                    throw e;
                }
            } catch (Undecided e) {
                if (i == ROUNDS - 1) {
                    throw e.seen;
                }
            }
        }
    }

    // ---- states

    private static FallbackState state(Locks party) throws Mismatch {
        Optional<FallbackState> state = party.snapshot().fallback();
        return state.orElseThrow(() -> Mismatch.notFree("the parties' store is no pair"));
    }

    /** The state in which the store grants. A register that answers slowly, or a switch before, may take a moment. */
    private static FallbackState granting(Stage stage, Locks party) throws Exception {
        return awaitState(stage, party, state -> state.grants() == Grants.YES && !state.onSecondary());
    }

    private static FallbackState awaitState(Stage stage, Locks party, Predicate<FallbackState> wanted)
            throws Exception {
        long start = System.nanoTime();
        while (true) {
            FallbackState state = state(party);
            if (wanted.test(state)) {
                return state;
            }
            if (System.nanoTime() - start > stage.pace().patience().toNanos()) {
                throw Mismatch.of(
                        "a party is still on " + state.active() + " in epoch " + state.epoch() + "; whether it grants: "
                                + state.grants(),
                        "It doesn't hear which store's turn it is, or too late. It grants nothing until then, and work waits.");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
    }
}
