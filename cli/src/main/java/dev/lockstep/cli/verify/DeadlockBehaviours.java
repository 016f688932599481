package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The contrast to sets: one lock after the other, in opposite order, with the order guard off. */
final class DeadlockBehaviours {
    /** More than the second after which PostgreSQL looks for deadlocks. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private static final Duration MEETING = Duration.ofSeconds(30);

    private DeadlockBehaviours() {}

    static List<Behaviour> all() {
        return List.of(new Behaviour(
                "H12.2",
                "the contrast: two take two resources one after the other, in opposite order, without the guard",
                "a deadlock, which the store finds, or which ends with a timeout where it can't",
                stage -> tryOpposite(stage, new Things("H12.2"))));
    }

    private enum End {
        HAD_BOTH,
        DEADLOCK,
        TIMEOUT
    }

    private static Outcome tryOpposite(Stage stage, Things things) throws Exception {
        CountDownLatch bothHold = new CountDownLatch(2);
        Locks one = stage.party(options -> options.orderPolicy(OrderPolicy.OFF));
        Locks other = stage.party(options -> options.orderPolicy(OrderPolicy.OFF));
        LockKey r1 = things.resource("r1");
        LockKey r2 = things.resource("r2");
        long start = System.nanoTime();
        Work<End> forth = Work.start("forth", () -> oneAfterTheOther(one, r1, r2, bothHold));
        Work<End> back = Work.start("back", () -> oneAfterTheOther(other, r2, r1, bothHold));
        List<End> ends = List.of(forth.result(MEETING.plus(WAIT)), back.result(MEETING.plus(WAIT)));
        return judge(ends, Duration.ofNanos(System.nanoTime() - start), stage);
    }

    private static End oneAfterTheOther(Locks party, LockKey first, LockKey then, CountDownLatch bothHold)
            throws Exception {
        try (Lease outer = acquireFirst(party, first, bothHold)) {
            if (!bothHold.await(MEETING.toSeconds(), TimeUnit.SECONDS)) {
                throw new TimeoutException("the other one never had its first lock");
            }
            party.acquire(exclusive(then).within(WAIT)).close();
            outer.ensureHeld();
            return End.HAD_BOTH;
        } catch (DeadlockException e) {
            return End.DEADLOCK;
        } catch (LockTimeoutException e) {
            return End.TIMEOUT;
        }
    }

    /** Whoever fails counts too: the other one goes on, and what is told is why this one failed. */
    private static Lease acquireFirst(Locks party, LockKey first, CountDownLatch bothHold) {
        try {
            return party.acquire(exclusive(first));
        } finally {
            bothHold.countDown();
        }
    }

    private static Outcome judge(List<End> ends, Duration took, Stage stage) throws Mismatch {
        if (ends.contains(End.DEADLOCK)) {
            return new Outcome.Passed(
                    "found within " + Figures.of(took) + "; one failed, so that the other could go on");
        }
        if (!ends.contains(End.TIMEOUT)) {
            throw Mismatch.notExcluded("each had both resources, though the other held one of them");
        }
        if (stage.has(StoreTrait.NO_DEADLOCK_REPORT)) {
            return new Outcome.Passed("ended with a timeout, as this store says of itself");
        }
        return new Outcome.Doubtful(
                "not found within " + Figures.of(WAIT) + "; it ended with a timeout",
                "Look at innodb_deadlock_detect (MySQL, MariaDB) or deadlock_timeout (PostgreSQL). Sets, and nested"
                        + " requests under the guard, don't deadlock and don't need it.");
    }
}
