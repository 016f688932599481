package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The scenarios of the hierarchy: what waits for what, and until when. */
final class HierarchyBehaviours {
    private static final String WAITS = "the second is refused or waits, and is granted after the release";
    private static final String BESIDE = "both are granted at once";

    private HierarchyBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                waits("H4.1", "one resource, asked for twice", it -> it.resource("r1"), it -> it.resource("r1")),
                beside("H4.2", "two resources of one account", it -> it.resource("r1"), it -> it.resource("r2")),
                waits("H4.3.1", "an account, then its resource", it -> it.account("u1", "a1"), it -> it.resource("r1")),
                waits("H4.3.2", "a resource, then its account", it -> it.resource("r1"), it -> it.account("u1", "a1")),
                waits("H4.4.1", "a user, then its account", it -> it.user("u1"), it -> it.account("u1", "a1")),
                waits("H4.4.2", "a user, then its resource", it -> it.user("u1"), it -> it.resource("r1")),
                waits("H4.4.3", "a resource, then its user", it -> it.resource("r1"), it -> it.user("u1")),
                beside("H4.5.1", "two users", it -> it.user("u1"), it -> it.user("u2")),
                beside(
                        "H4.5.2",
                        "a user, then a resource of another",
                        it -> it.user("u1"),
                        it -> it.resource("u2", "a1", "r1")));
    }

    private static Behaviour waits(
            String id, String title, Function<Things, LockKey> first, Function<Things, LockKey> second) {
        Things things = new Things(id);
        return new Behaviour(id, title, WAITS, stage -> tryWaiting(stage, first.apply(things), second.apply(things)));
    }

    private static TrialOutcome tryWaiting(Stage stage, LockKey first, LockKey second) throws Exception {
        Lease held = stage.take(stage.first(), exclusive(first));
        stage.refused(stage.second(), exclusive(second), held);
        Work<Lease> waiting = stage.startWaiting("second", stage.second(), exclusive(second));
        held.close();
        Duration after = stage.served(waiting);
        return new TrialOutcome.Passed("refused, waited, and granted " + Figures.of(after) + " after the release");
    }

    private static Behaviour beside(
            String id, String title, Function<Things, LockKey> first, Function<Things, LockKey> second) {
        Things things = new Things(id);
        return new Behaviour(id, title, BESIDE, stage -> tryBeside(stage, first.apply(things), second.apply(things)));
    }

    private static TrialOutcome tryBeside(Stage stage, LockKey first, LockKey second) throws Mismatch {
        Lease held = stage.take(stage.first(), exclusive(first));
        Lease beside = stage.take(stage.second(), exclusive(second));
        held.ensureHeld();
        beside.ensureHeld();
        beside.close();
        held.close();
        return new TrialOutcome.Passed(BESIDE);
    }
}
