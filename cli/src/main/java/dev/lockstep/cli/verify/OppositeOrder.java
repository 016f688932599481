package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two owners that took two resources one after the other, in opposite order and without the order guard.
 *
 * @param took how long it took until both came to an end
 */
record OppositeOrder(List<End> ends, Duration took) {
    /** More than the second after which PostgreSQL looks for deadlocks. */
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(5);

    static final Duration MEETING = Duration.ofSeconds(90);

    /**
     * What became of one of the two.
     *
     * @param hadBoth whether it acquired the second resource as well
     * @param report the report of the deadlock, if it was failed to end one
     */
    record End(String owner, LockKey first, LockKey then, boolean hadBoth, Optional<DeadlockReport> report) {}

    /** Tries it. */
    static OppositeOrder of(Stage stage, Things things) throws Exception {
        CountDownLatch bothHold = new CountDownLatch(2);
        Locks one = stage.party(options -> options.orderPolicy(OrderPolicy.OFF));
        Locks other = stage.party(options -> options.orderPolicy(OrderPolicy.OFF));
        LockKey r1 = things.resource("r1");
        LockKey r2 = things.resource("r2");
        Duration wait = wait(stage);
        long start = System.nanoTime();
        Work<End> forth = Work.start("forth", () -> oneAfterTheOther("forth", one, r1, r2, wait, bothHold));
        Work<End> back = Work.start("back", () -> oneAfterTheOther("back", other, r2, r1, wait, bothHold));
        Duration limit = MEETING.plus(wait).plus(MEETING);
        List<End> ends = List.of(forth.result(limit), back.result(limit));
        stage.pulse().beat();
        return new OppositeOrder(ends, Duration.ofNanos(System.nanoTime() - start));
    }

    /** How long each waits for its second resource: until the other one asks too, unless the store finds no deadlocks at all. */
    static Duration wait(Stage stage) {
        Duration patience = stage.pace().patience();
        return stage.has(StoreTrait.NO_DEADLOCK_REPORT) || patience.compareTo(SHORTEST_WAIT) < 0
                ? SHORTEST_WAIT
                : patience;
    }

    private static End oneAfterTheOther(
            String owner, Locks party, LockKey first, LockKey then, Duration wait, CountDownLatch bothHold)
            throws Exception {
        try (Lease outer = acquireFirst(party, first, bothHold)) {
            if (!bothHold.await(MEETING.toSeconds(), TimeUnit.SECONDS)) {
                throw new TimeoutException("the other one never had its first lock");
            }
            party.acquire(exclusive(then).within(wait)).close();
            outer.ensureHeld();
            return new End(owner, first, then, true, Optional.empty());
        } catch (DeadlockException e) {
            return new End(owner, first, then, false, Optional.of(e.report()));
        } catch (LockTimeoutException e) {
            return new End(owner, first, then, false, Optional.empty());
        }
    }

    /** A party that fails counts too: the other one proceeds, and the report says why this one failed. */
    private static Lease acquireFirst(Locks party, LockKey first, CountDownLatch bothHold) {
        try {
            return party.acquire(exclusive(first));
        } finally {
            bothHold.countDown();
        }
    }

    /** The report of the deadlock, if the store found it. */
    Optional<DeadlockReport> report() {
        return ends.stream().flatMap(end -> end.report().stream()).findFirst();
    }

    /** Without a deadlock, one of the two must have timed out. */
    void requireExclusion() throws Mismatch {
        if (ends.stream().allMatch(End::hadBoth)) {
            throw Mismatch.notExcluded("each had both resources, though the other held one of them");
        }
    }
}
