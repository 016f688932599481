package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What becomes of a lease whose term is over, in real time. */
final class LeaseBehaviours {
    private static final Duration LOOK = Duration.ofMillis(100);

    private LeaseBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "X3.1",
                        "a lease with a short term that is not renewed, and one who waits for it",
                        "it ends by itself, the next is served, and the two never hold at once",
                        stage -> tryExpiry(stage, new Things("X3.1"))),
                new Behaviour(
                        "X3.2",
                        "the holder of a lease whose term is over",
                        "it is told, can't renew, and its release takes nothing from the next one",
                        stage -> tryLoss(stage, new Things("X3.2"))),
                new Behaviour(
                        "X3.3",
                        "a lease that is renewed in the background, for twice its term",
                        "it is held all the time, and nobody else gets in",
                        stage -> tryRenewal(stage, new Things("X3.3"))));
    }

    private static Outcome tryExpiry(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        long start = System.nanoTime();
        Lease brief =
                stage.take(stage.first(), exclusive(key).forTerm(stage.pace().term()));
        Work<Boolean> heir = Work.start("heir", () -> {
            try (Lease lease = stage.second().acquire(exclusive(key))) {
                return brief.isHeld() && lease.isHeld();
            }
        });
        if (heirMetHolder(heir, stage)) {
            throw Mismatch.notExcluded("the next was served while the first could still count on its lease");
        }
        return new Outcome.Passed("a term of " + Figures.of(stage.pace().term()) + ": the next was served after "
                + Figures.of(Duration.ofNanos(System.nanoTime() - start)));
    }

    private static boolean heirMetHolder(Work<Boolean> heir, Stage stage) throws Exception {
        try {
            return heir.result(stage.pace().patience());
        } catch (TimeoutException | LockTimeoutException e) {
            throw Mismatch.of(
                    "the next still waited " + Figures.of(stage.pace().patience()) + " after a term of "
                            + Figures.of(stage.pace().term()) + " had begun",
                    "Leases don't end by themselves: when a process stands still, its locks stay until somebody ends it.");
        }
    }

    private static Outcome tryLoss(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        Lease brief =
                stage.take(stage.first(), exclusive(key).forTerm(stage.pace().term()));
        Loss loss;
        try {
            loss = brief.lost()
                    .toCompletableFuture()
                    .get(stage.pace().patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw untold(
                    "the holder was not told within " + Figures.of(stage.pace().patience()));
        }
        Lease next = stage.second().acquire(exclusive(key));
        if (brief.isHeld() || canRenew(brief) || brief.release() != ReleaseOutcome.LOST) {
            throw untold("after its end the lease could be counted on, renewed or given back");
        }
        stage.refused(stage.third(), exclusive(key), next);
        next.close();
        return new Outcome.Passed("told: " + loss.reason());
    }

    private static boolean canRenew(Lease lease) {
        try {
            lease.renew();
            return true;
        } catch (LeaseLostException e) {
            return false;
        }
    }

    private static Mismatch untold(String seen) {
        return Mismatch.of(seen, "A holder that lost its lease goes on working, beside the next one.");
    }

    private static Outcome tryRenewal(Stage stage, Things things) throws Exception {
        Locks renewing = stage.party(options -> options.defaultTerm(stage.pace().term()));
        long start = System.nanoTime();
        long looks = 0;
        try (Lease lease = stage.take(renewing, exclusive(things.character()))) {
            while (System.nanoTime() - start < stage.pace().term().toNanos() * 2) {
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
                stage.refused(stage.second(), exclusive(things.character()), lease);
                lease.ensureHeld();
                looks++;
            }
        }
        return new Outcome.Passed("held for " + Figures.of(Duration.ofNanos(System.nanoTime() - start))
                + " with a term of " + Figures.of(stage.pace().term()) + "; looked " + looks + " times");
    }
}
