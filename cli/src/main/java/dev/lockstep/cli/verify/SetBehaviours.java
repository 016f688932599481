package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import java.time.Duration;
import java.util.List;

/** Several locks in one call: in one order, all or nothing. */
final class SetBehaviours {
    private static final Duration SHORT = Duration.ofMillis(200);

    /** Servers count in milliseconds. */
    private static final Duration SLACK = Duration.ofMillis(20);

    private SetBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "O3",
                        "two locks in one call, named in the wrong order, while one of them is held",
                        "it takes the lower rank first, waits at the higher one, and never the other way round",
                        stage -> tryOrder(stage, new Things("O3"))),
                new Behaviour(
                        "O4",
                        "a wait of " + SHORT.toMillis() + " ms for a lock that is not released",
                        "it ends in time, and names the key that was waited for",
                        stage -> tryTimeout(stage, new Things("O4"))),
                new Behaviour(
                        "O6",
                        "two locks in one call, of which the second is not available in time",
                        "none of them stays held",
                        stage -> tryAllOrNothing(stage, new Things("O6"))));
    }

    private static TrialOutcome tryOrder(Stage stage, Things things) throws Exception {
        LockRequest backwards = exclusive(things.equipment(), things.character());
        Lease higher = stage.take(stage.first(), exclusive(things.equipment()));
        Work<Lease> set = stage.startWaiting("set", stage.second(), backwards);
        if (!stage.isHeldBy(set, stage.second(), stage.third(), exclusive(things.character()))) {
            throw Mismatch.of(
                    things.character() + " was free while the set waited for " + things.equipment(),
                    "The set doesn't hold what comes first while it waits for what comes later: others may overtake it forever.");
        }
        higher.close();
        stage.served(set);
        Lease lower = stage.take(stage.first(), exclusive(things.character()));
        set = stage.startWaiting("set", stage.second(), backwards);
        if (!stage.isGranted(stage.third(), exclusive(things.equipment()))) {
            throw Mismatch.of(
                    things.equipment() + " was held while the set still waited for " + things.character(),
                    "The set takes a higher rank before a lower one: two sets, or a set and a nested request, can deadlock.");
        }
        lower.close();
        stage.served(set);
        return new TrialOutcome.Passed("taken by rank: " + things.character() + " before " + things.equipment());
    }

    private static TrialOutcome tryTimeout(Stage stage, Things things) throws Exception {
        Lease held = stage.take(stage.first(), exclusive(things.character()));
        long start = System.nanoTime();
        Object attempt = stage.second().tryAcquire(exclusive(things.character()).within(SHORT));
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        if (!(attempt instanceof Busy busy)) {
            throw Mismatch.notExcluded("the second was granted while the first held " + held.keys());
        }
        held.close();
        if (!busy.key().equals(things.character()) || waited.plus(SLACK).compareTo(SHORT) < 0) {
            throw Mismatch.of(
                    "refused after " + Figures.of(waited) + ", waiting for " + busy.key(),
                    "Waits end too early, or can't say what they waited for.");
        }
        stage.takeBriefly(stage.second(), exclusive(things.character()));
        return new TrialOutcome.Passed("ended after " + Figures.of(waited) + ", waiting for " + busy.key());
    }

    private static TrialOutcome tryAllOrNothing(Stage stage, Things things) throws Exception {
        Lease last = stage.take(stage.first(), exclusive(things.equipment()));
        LockRequest set = exclusive(things.character(), things.equipment());
        stage.refused(stage.second(), set, last);
        stage.refused(stage.second(), set.within(SHORT), last);
        if (!stage.isGranted(stage.third(), exclusive(things.character()))) {
            throw Mismatch.of(
                    things.character() + " stayed locked after the set that wanted it had timed out",
                    "What a request held when its time ended is not released: such locks stay until the process ends, or"
                            + " forever.");
        }
        last.close();
        stage.takeBriefly(stage.third(), set);
        return new TrialOutcome.Passed(things.character() + " was free right after the timeout");
    }
}
