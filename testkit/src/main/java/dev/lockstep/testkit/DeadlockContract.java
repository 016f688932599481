package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.resource;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happens to those who switch the order guard off. */
interface DeadlockContract extends Scenario {
    @Test
    @DisplayName("Deadlock_UnorderedMultiResource")
    default void unorderedResourcesDeadlock() {
        LockKey one = resource("u1", "a1", "r1");
        LockKey two = resource("u1", "a1", "r2");
        CyclicBarrier bothHold = new CyclicBarrier(2);
        Locks unguarded = stage().party(DeadlockContract::unguarded);
        Locks second = stage().secondParty(DeadlockContract::unguarded);
        Task<String> forth = start("forth", () -> oneAfterTheOther(unguarded, one, two, bothHold));
        Task<String> back = start("back", () -> oneAfterTheOther(second, two, one, bothHold));
        if (stage().store().traits().contains(StoreTrait.NO_DEADLOCK_REPORT)) {
            stage().awaitWaitingOrDone(forth);
            stage().awaitWaitingOrDone(back);
            passTime(longTerm());
            forth.awaitDone();
            back.awaitDone();
            assertThat(failures(forth, back)).isNotEmpty().allMatch(LockTimeoutException.class::isInstance);
        } else {
            assertThat(failures(forth, back))
                    .singleElement()
                    .isInstanceOfSatisfying(DeadlockException.class, error -> checkReport(error, one, two));
        }
    }

    /** With call sites as applications record them: a report must have them then, too. */
    private static LocksBuilder unguarded(LocksBuilder options) {
        return options.orderPolicy(OrderPolicy.OFF).callSites(CallSites.WHEN_CONTENDED);
    }

    private String oneAfterTheOther(Locks party, LockKey first, LockKey then, CyclicBarrier bothHold) throws Exception {
        Lease outer = party.acquire(exclusive(first));
        try {
            bothHold.await(60, TimeUnit.SECONDS);
            boolean endsByTimeout = stage().store().traits().contains(StoreTrait.NO_DEADLOCK_REPORT);
            LockRequest request = exclusive(then);
            party.acquire(endsByTimeout ? request.within(longTerm()) : request).close();
            return "both";
        } finally {
            outer.close();
        }
    }

    private static List<Throwable> failures(Task<?>... tasks) {
        return Stream.of(tasks)
                .peek(Task::awaitDone)
                .filter(Task::hasFailed)
                .map(Task::failure)
                .toList();
    }

    private static void checkReport(DeadlockException error, LockKey one, LockKey two) {
        List<Participant> cycle = error.report().cycle();
        assertThat(cycle).extracting(Participant::owner).containsExactlyInAnyOrder("forth", "back");
        assertThat(cycle)
                .extracting(Participant::waitsFor)
                .containsExactlyInAnyOrder(
                        new PlannedLock(one, LockMode.EXCLUSIVE), new PlannedLock(two, LockMode.EXCLUSIVE));
        assertThat(cycle).allSatisfy(each -> {
            LockKey held = each.waitsFor().key().equals(one) ? two : one;
            assertThat(each.holds()).contains(new PlannedLock(held, LockMode.EXCLUSIVE));
            assertThat(each.callSite())
                    .map(CallSite::toString)
                    .hasValueSatisfying(site -> assertThat(site).contains("oneAfterTheOther"));
        });
        assertThat(cycle)
                .extracting(Participant::leaseId)
                .contains(error.report().victim());
        assertThat(error.retryable()).isTrue();
        assertThat(error).hasMessageContaining("'forth'").hasMessageContaining("'back'");
    }
}
