package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.FallbackState;
import dev.lockstep.core.FallbackState.Grants;
import dev.lockstep.core.Lease;
import java.util.List;
import java.util.Optional;

/** What a store with a fallback shows, while both are there. */
final class PairBehaviours {
    private PairBehaviours() {}

    static List<Behaviour> all() {
        return List.of(new Behaviour(
                "X4",
                "the store and its fallback are started as a pair by three parties",
                "all of them know the same epoch, in which the store grants locks",
                stage -> tryStart(stage, new Things("X4"))));
    }

    private static Outcome tryStart(Stage stage, Things things) throws Exception {
        FallbackState first = stateOf(stage, 0);
        for (int party = 1; party < 3; party++) {
            FallbackState other = stateOf(stage, party);
            if (other.epoch() != first.epoch() || other.onSecondary() != first.onSecondary()) {
                throw Mismatch.notExcluded("one party is in epoch " + first.epoch() + " on " + first.active()
                        + ", another in epoch " + other.epoch() + " on " + other.active());
            }
        }
        try (Lease lease = stage.take(stage.first(), exclusive(things.resource("r1")))) {
            return new Outcome.Passed("epoch " + first.epoch() + " on " + first.active() + ", with " + first.secondary()
                    + " as the fallback; the first token is " + lease.token());
        }
    }

    private static FallbackState stateOf(Stage stage, int party) throws Mismatch {
        Optional<FallbackState> state = stage.party(party).snapshot().fallback();
        if (state.isEmpty()) {
            throw Mismatch.notFree("the parties' store is no pair");
        }
        if (state.get().grants() != Grants.YES || state.get().onSecondary()) {
            throw Mismatch.notFree("the pair is on " + state.get().active() + ", and whether it grants is "
                    + state.get().grants());
        }
        return state.get();
    }
}
