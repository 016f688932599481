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

/** What becomes of a lease whose term has expired, in real time. */
final class LeaseBehaviours {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int SECOND_TERM = 4;

    /** Two clocks, and the rounding of both, are compared. */
    private static final Duration SLACK = Duration.ofMillis(50);

    private LeaseBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "X3.1",
                        "a holder that stands still, with a lease of a short term, and one who waits for it",
                        "the store ends the lease after its term and not before, and serves the next;"
                                + " a late release takes nothing from it",
                        stage -> tryStandstill(stage, new Things("X3.1"))),
                new Behaviour(
                        "X3.2",
                        "a lease that is not renewed, and one who waits for it",
                        "the holder is notified before the next is granted, and can't renew",
                        stage -> tryLoss(stage, new Things("X3.2"))),
                new Behaviour(
                        "X3.3",
                        "a lease that is renewed in the background, for twice its term",
                        "it is held all the time, and no other is granted",
                        stage -> tryRenewal(stage, new Things("X3.3"))));
    }

    private static TrialOutcome tryStandstill(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        Duration term = stage.pace().term();
        Locks still = stage.party(new StoppedClock());
        long start = System.nanoTime();
        Lease stale = stage.take(still, exclusive(key).forTerm(term));
        Lease next = heir(Work.start("heir", () -> stage.second().acquire(exclusive(key))), stage);
        Duration after = Duration.ofNanos(System.nanoTime() - start);
        if (after.plus(SLACK).compareTo(term) < 0) {
            throw Mismatch.notExcluded(
                    "the next was served after " + Figures.of(after) + " of a term of " + Figures.of(term));
        }
        stale.release();
        stage.refused(stage.third(), exclusive(key), next);
        next.close();
        return new TrialOutcome.Passed(
                "a term of " + Figures.of(term) + ": the next was served after " + Figures.of(after));
    }

    private static <T> T heir(Work<T> heir, Stage stage) throws Exception {
        try {
            return heir.result(stage.pace().patience().plus(stage.pace().term()));
        } catch (TimeoutException | LockTimeoutException e) {
            throw Mismatch.of(
                    "the next still waited " + Figures.of(stage.pace().patience()) + " after a term of "
                            + Figures.of(stage.pace().term()) + " had begun",
                    "Leases don't end by themselves: when a process stands still, its locks stay until it is ended.");
        }
    }

    private static TrialOutcome tryLoss(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        Lease brief =
                stage.take(stage.first(), exclusive(key).forTerm(stage.pace().term()));
        Work<Succession> heir = Succession.start(brief, stage.second(), key);
        Loss loss = told(brief, stage);
        Succession succession = heir(heir, stage);
        if (succession.met()) {
            throw Mismatch.notExcluded("the next was served while the first could still count on its lease");
        }
        if (brief.isHeld() || canRenew(brief) || brief.release() != ReleaseOutcome.LOST) {
            throw untold("after its end the lease could be counted on, renewed or released");
        }
        stage.refused(stage.third(), exclusive(key), succession.next());
        succession.next().close();
        return new TrialOutcome.Passed("told that it is lost (" + loss.reason() + ") before the next was served");
    }

    private static Loss told(Lease lease, Stage stage) throws Exception {
        try {
            return lease.lost()
                    .toCompletableFuture()
                    .get(stage.pace().patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw untold("the holder was not notified within "
                    + Figures.of(stage.pace().patience()));
        }
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

    /** A lease may also be lost because this machine stood still for a moment: a longer term must do then. */
    private static TrialOutcome tryRenewal(Stage stage, Things things) throws Exception {
        Duration term = stage.pace().term();
        try {
            return tryRenewal(stage, things.character(), term);
        } catch (LeaseLostException e) {
            return tryLongerRenewal(stage, things, term.multipliedBy(SECOND_TERM));
        }
    }

    private static TrialOutcome tryLongerRenewal(Stage stage, Things things, Duration term) throws Exception {
        try {
            return tryRenewal(stage, things.equipment(), term);
        } catch (LeaseLostException e) {
            return tryRenewal(stage, things.resource("r1"), Stage.LASTING_TERM);
        }
    }

    private static TrialOutcome tryRenewal(Stage stage, LockKey key, Duration term) throws Exception {
        Locks renewing = stage.party(options -> options.defaultTerm(term));
        long start = System.nanoTime();
        int looks = 0;
        try (Lease lease = stage.take(renewing, exclusive(key))) {
            while (System.nanoTime() - start < term.toNanos() * 2) {
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
                boolean granted = stage.isGranted(stage.second(), exclusive(key));
                lease.ensureHeld();
                if (granted) {
                    throw Mismatch.notExcluded(key + " was granted to another while it was held");
                }
                looks++;
            }
        }
        return new TrialOutcome.Passed("held for " + Figures.of(Duration.ofNanos(System.nanoTime() - start))
                + " with a term of " + Figures.of(term) + "; another asked " + looks + " times, without success");
    }
}
