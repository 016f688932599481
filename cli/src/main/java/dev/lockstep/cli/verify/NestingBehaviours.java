package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;

import dev.lockstep.core.Lease;
import dev.lockstep.core.OrderViolationException;
import java.util.List;

/** Requests inside requests: the order guard, and what is held already. */
final class NestingBehaviours {
    private NestingBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "O8.1",
                        "inside a lock, a nested request of a lower rank",
                        "refused before it can block, with both keys named",
                        stage -> tryAgainstOrder(stage, new Things("O8.1"))),
                new Behaviour(
                        "O8.2",
                        "inside a lock, the same lock again",
                        "granted, and still held when the inner one is released; free after the outer one",
                        stage -> tryAgain(stage, new Things("O8.2"))),
                new Behaviour(
                        "O8.3",
                        "inside a user's lock, its resource",
                        "granted, because the user's lock covers it; no other is granted",
                        stage -> tryCovered(stage, new Things("O8.3"))));
    }

    private static TrialOutcome tryAgainstOrder(Stage stage, Things things) throws Mismatch {
        try (Lease outer = stage.take(stage.first(), exclusive(things.equipment()))) {
            Lease inner = stage.first().acquire(exclusive(things.character()));
            inner.close();
            throw Mismatch.of(
                    things.character() + " was granted inside " + outer.keys(),
                    "The order guard is off: two that nest in opposite order can deadlock.");
        } catch (OrderViolationException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains(things.character().toString())
                    || !message.contains(things.equipment().toString())) {
                throw Mismatch.of("refused with: " + message, "The message doesn't name both keys.");
            }
        }
        stage.takeBriefly(stage.second(), exclusive(things.character(), things.equipment()));
        return new TrialOutcome.Passed("refused at once; nothing stayed held");
    }

    private static TrialOutcome tryAgain(Stage stage, Things things) throws Mismatch {
        Lease outer = stage.take(stage.first(), exclusive(things.resource("r1")));
        Lease inner = stage.take(stage.first(), exclusive(things.resource("r1")));
        Lease reading = stage.take(stage.first(), shared(things.resource("r1")));
        reading.close();
        inner.close();
        stage.refused(stage.second(), exclusive(things.resource("r1")), outer);
        outer.ensureHeld();
        outer.close();
        stage.takeBriefly(stage.second(), exclusive(things.resource("r1")));
        return new TrialOutcome.Passed("granted; held until the outer one was released");
    }

    private static TrialOutcome tryCovered(Stage stage, Things things) throws Mismatch {
        Lease outer = stage.take(stage.first(), exclusive(things.user("u1")));
        Lease inner = stage.take(stage.first(), exclusive(things.resource("r1"), things.account("u1", "a2")));
        inner.ensureHeld();
        stage.refused(stage.second(), exclusive(things.resource("r1")), outer);
        inner.close();
        stage.refused(stage.second(), exclusive(things.resource("r1")), outer);
        outer.close();
        stage.takeBriefly(stage.second(), exclusive(things.resource("r1")));
        return new TrialOutcome.Passed("granted; no other was granted");
    }
}
