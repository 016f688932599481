package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;

/** The five lock modes of an account, as requests for it and for its resources cause them. */
final class ModeBehaviours {
    private ModeBehaviours() {}

    static List<Behaviour> all() {
        return List.of(new Behaviour(
                "X1",
                "every ordered pair of the modes IS, IX, S, SIX and X of one account",
                "the second is granted exactly where the two modes are compatible, and always after the release",
                stage -> stage.has(StoreTrait.TWO_MODES)
                        ? tryTwoModes(stage, new Things("X1"))
                        : tryModes(stage, new Things("X1"))));
    }

    /** A mode of the account, with the modes that another holder may have beside it. */
    private enum Mode {
        IS("IS IX S SIX"),
        IX("IS IX"),
        S("IS S"),
        SIX("IS"),
        X("");

        private final String compatible;

        Mode(String compatible) {
            this.compatible = compatible;
        }

        boolean allows(Mode other) {
            return List.of(compatible.split(" ", -1)).contains(other.name());
        }

        /** The request that takes the account in this mode, for the sake of this resource where it is an intent. */
        LockRequest request(Things things, String resource) {
            LockKey account = things.account("u1", "a1");
            return switch (this) {
                case IS -> shared(things.resource(resource));
                case IX -> exclusive(things.resource(resource));
                case S -> shared(account);
                case SIX -> shared(account).andExclusive(things.resource(resource));
                case X -> exclusive(account);
            };
        }
    }

    private static TrialOutcome tryModes(Stage stage, Things things) throws Mismatch {
        int pairs = 0;
        for (Mode first : Mode.values()) {
            for (Mode second : Mode.values()) {
                tryPair(stage, things, first, second);
                pairs++;
            }
        }
        return new TrialOutcome.Passed(
                pairs + " pairs, each as expected: readers of the whole account read beside each other");
    }

    /** The two name different resources, so that only the modes of the account decide. */
    private static void tryPair(Stage stage, Things things, Mode first, Mode second) throws Mismatch {
        LockRequest asked = second.request(things, "r2");
        Lease held = stage.take(stage.first(), first.request(things, "r1"));
        boolean granted = stage.isGranted(stage.second(), asked);
        held.ensureHeld();
        held.close();
        if (granted && !first.allows(second)) {
            throw Mismatch.notExcluded(second + " was granted beside " + first + " of " + things.account("u1", "a1"));
        }
        if (!granted && first.allows(second)) {
            throw Mismatch.notFree(second + " was refused beside " + first + " of " + things.account("u1", "a1"));
        }
        stage.takeBriefly(stage.second(), asked);
    }

    /** Whatever the store does instead, a reader of the account must exclude those who write in it. */
    private static TrialOutcome tryTwoModes(Stage stage, Things things) throws Mismatch {
        Lease reader = stage.take(stage.first(), Mode.S.request(things, "r1"));
        for (Mode writer : List.of(Mode.IX, Mode.SIX, Mode.X)) {
            stage.refused(stage.second(), writer.request(things, "r2"), reader);
        }
        reader.ensureHeld();
        reader.close();
        return new TrialOutcome.Inapplicable(
                "this store has two modes, shared and exclusive. A shared lock of an account is taken as an exclusive one, so"
                        + " readers of one account wait for each other. Nothing is written beside a reader: that was tried.");
    }
}
