package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import java.util.List;
import java.util.function.Function;

/** Requests that are wrong in themselves. */
final class InputBehaviours {
    private InputBehaviours() {}

    static List<Behaviour> all() {
        return List.of(new Behaviour(
                "H13",
                "empty ids and null as an id, of a user, an account and a resource",
                "each is refused as an invalid request, before the store is called",
                stage -> tryInvalid(stage, new Things("H13"), invalid(new Things("H13")))));
    }

    @SuppressWarnings("NullAway") // what callers without null checks pass
    private static List<Function<Locks, Lease>> invalid(Things things) {
        return List.of(
                party -> party.acquire(exclusive(TrialKind.USER.key(""))),
                party -> party.acquire(exclusive(TrialKind.USER.key(null))),
                party -> party.acquire(exclusive(things.user("u1").child(TrialKind.ACCOUNT, ""))),
                party -> party.acquire(exclusive(things.user("u1").child(TrialKind.ACCOUNT, null))),
                party -> party.acquire(exclusive(things.account("u1", "a1").child(TrialKind.RESOURCE, ""))),
                party -> party.acquire(exclusive(things.account("u1", "a1").child(TrialKind.RESOURCE, null))));
    }

    static TrialOutcome tryInvalid(Stage stage, Things things, List<Function<Locks, Lease>> invalid) throws Mismatch {
        Line line = new Line();
        Locks party = stage.party(line);
        int before = line.calls();
        for (Function<Locks, Lease> request : invalid) {
            requireRefusal(party, request);
            if (line.calls() > before) {
                throw Mismatch.of(
                        "the store was called for a request without an id",
                        "Mistakes of callers reach the server: they cost a round trip and may lock something else.");
            }
        }
        stage.takeBriefly(party, exclusive(things.resource("r1")));
        if (line.calls() == before) {
            throw Mismatch.of(
                    "a lock was granted without a call to the store",
                    "The trial can't see whether the store is called, so it proves nothing. Please report it.");
        }
        return new TrialOutcome.Passed(invalid.size() + " requests, each refused without a call to the store");
    }

    private static void requireRefusal(Locks party, Function<Locks, Lease> request) throws Mismatch {
        try (Lease lease = request.apply(party)) {
            throw Mismatch.of(
                    lease.keys() + " was granted",
                    "Things whose id is missing share one lock: a mistake of a caller locks the wrong thing unnoticed.");
        } catch (InvalidRequestException e) {
            return;
        }
    }
}
