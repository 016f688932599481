package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import java.util.ArrayList;
import java.util.List;

/** One lock that many want at the same time: no other is inside, and tokens rise. */
final class LoadBehaviours {
    private static final int GRANTS = 30;

    private LoadBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "H2",
                        "many add to one counter under a lock, reading it and writing it back unprotected",
                        "no increment is lost; no two are inside together",
                        stage -> tryCounting(stage, new Things("H2"))),
                new Behaviour(
                        "X2.1",
                        GRANTS + " grants in turn, of keys of one user, in different modes and by different parties",
                        "each fencing token is greater than the one before",
                        stage -> tryTokens(stage, new Things("X2.1"))),
                new Behaviour(
                        "X2.2",
                        "many take one lock at the same time",
                        "fencing tokens rise in the order of the grants",
                        stage -> tryContendedTokens(stage, new Things("X2.2"))));
    }

    private static TrialOutcome tryCounting(Stage stage, Things things) throws Exception {
        Counter counter = new Counter();
        LockKey key = things.resource("r1");
        Crowd crowd = new Crowd(stage);
        int rounds = crowd.work((party, thread, random) -> {
            try (Lease lease = party.acquire(exclusive(key))) {
                counter.add(random);
                lease.ensureHeld();
            }
        });
        if (counter.value() != rounds || counter.meetings() > 0) {
            throw Mismatch.notExcluded((rounds - counter.value()) + " of " + rounds + " increments by " + crowd
                    + " were lost; " + counter.meetings() + " times two were inside together");
        }
        return new TrialOutcome.Passed(rounds + " increments by " + crowd + "; none was lost");
    }

    private static TrialOutcome tryTokens(Stage stage, Things things) throws Mismatch {
        List<LockRequest> requests = List.of(
                exclusive(things.resource("r1")),
                shared(things.resource("r2")),
                exclusive(things.character(), things.resource("r1")),
                exclusive(things.user("u1")));
        List<FencingToken> tokens = new ArrayList<>();
        for (int i = 0; i < GRANTS; i++) {
            Lease lease = stage.take(stage.party(i), requests.get(i % requests.size()));
            tokens.add(lease.token());
            lease.close();
        }
        return rising(tokens);
    }

    private static TrialOutcome tryContendedTokens(Stage stage, Things things) throws Exception {
        List<FencingToken> tokens = new ArrayList<>();
        LockKey key = things.character();
        new Crowd(stage).work((party, thread, random) -> {
            try (Lease lease = party.acquire(exclusive(key))) {
                synchronized (tokens) { // the lock that is tried is not trusted
                    tokens.add(lease.token());
                }
            }
        });
        return rising(tokens);
    }

    private static TrialOutcome rising(List<FencingToken> tokens) throws Mismatch {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.get(i - 1).compareTo(tokens.get(i)) >= 0) {
                throw Mismatch.of(
                        "token " + tokens.get(i) + " came after " + tokens.get(i - 1),
                        "What is written to can't tell a holder that was overtaken from the one that overtook it: a FencingGuard"
                                + " refuses the wrong one, or none.");
            }
        }
        return new TrialOutcome.Passed(tokens.size() + " tokens, each greater than the one before");
    }
}
