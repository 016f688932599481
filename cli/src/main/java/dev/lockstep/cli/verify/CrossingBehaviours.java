package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Sets that cross each other, taken by many at the same time. */
final class CrossingBehaviours {
    private CrossingBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "O7",
                        "many take A and B, or B and A, at the same time",
                        "all finish; none waits forever, none deadlocks",
                        stage -> cross(stage, opposite(new Things("O7")))),
                new Behaviour(
                        "H12.1",
                        "many take several of 8 resources, named in any order, at the same time",
                        "all finish; none waits forever, none deadlocks",
                        stage -> cross(stage, shuffled(new Things("H12.1")))));
    }

    /** The keys that a thread names the next time. */
    @FunctionalInterface
    interface Naming {
        List<LockKey> next(int thread, Random random);
    }

    private static Naming opposite(Things things) {
        List<LockKey> forth = List.of(things.character(), things.equipment());
        List<LockKey> back = List.of(things.equipment(), things.character());
        return (thread, random) -> thread % 2 == 0 ? forth : back;
    }

    private static Naming shuffled(Things things) {
        return (thread, random) -> {
            List<LockKey> keys = new ArrayList<>(things.resources());
            Collections.shuffle(keys, random);
            return keys.subList(0, 2 + random.nextInt(3));
        };
    }

    static TrialOutcome cross(Stage stage, Naming naming) throws Exception {
        Crowd crowd = new Crowd(stage);
        try {
            int sets = crowd.work((party, thread, random) -> {
                try (Lease lease = party.acquire(exclusive(naming.next(thread, random)))) {
                    lease.ensureHeld();
                }
            });
            return new TrialOutcome.Passed(sets + " sets by " + crowd + "; none deadlocked");
        } catch (DeadlockException | LockTimeoutException e) {
            throw Mismatch.of(
                    String.valueOf(e.getMessage()),
                    "Sets are not taken in one order everywhere, so two can wait for each other: work that names several locks in one"
                            + " call will hang or fail now and then.");
        }
    }
}
