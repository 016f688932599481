package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.StoreTrait;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who is served first. */
interface FairnessContract extends Scenario {
    /** Why a store without queues skips. */
    String NO_QUEUE = "requests of several processes may be served in any order";

    @Test
    @DisplayName("exclusive requests are served in the order in which they came")
    default void firstComeFirstServed() {
        needsStoreWithout(StoreTrait.UNFAIR, NO_QUEUE);
        assertServedInOrder(locks(), List.of(other(), locks(), other(), locks()));
    }

    @Test
    @DisplayName("requests of one process are served in the order in which they came, on every store")
    default void firstComeFirstServedInOneProcess() {
        assertServedInOrder(locks(), List.of(third(), locks(), third(), locks()));
    }

    @Test
    @DisplayName("requests of one process are served in the order in which they came, also after another process")
    default void firstComeFirstServedAfterAnotherProcess() {
        assertServedInOrder(other(), List.of(locks(), third(), locks(), third()));
    }

    private void assertServedInOrder(Locks holder, List<Locks> parties) {
        Lease held = take(holder, exclusive(CHARACTER.key("A")));
        List<String> served = new CopyOnWriteArrayList<>();
        List<Task<?>> waiting = new ArrayList<>();
        for (Locks party : parties) {
            String name = "waiter " + (waiting.size() + 1);
            Task<?> task = start(name, () -> serve(party, exclusive(CHARACTER.key("A")), served));
            stage().awaitWaiting(task);
            waiting.add(task);
        }
        held.close();
        waiting.forEach(Task::result);
        assertThat(served)
                .containsExactlyElementsOf(waiting.stream().map(Task::name).toList());
    }

    private static boolean serve(Locks party, LockRequest request, List<String> served) {
        Lease lease = party.acquire(request);
        served.add(Thread.currentThread().getName());
        lease.close();
        return true;
    }

    @Test
    @DisplayName("a late shared request doesn't overtake a waiting exclusive one")
    default void lateSharedDoesNotOvertake() {
        needsStoreWithout(StoreTrait.UNFAIR, NO_QUEUE);
        assertNotOvertaken(other());
    }

    @Test
    @DisplayName("a late shared request doesn't overtake a waiting exclusive one of its process, on every store")
    default void lateSharedDoesNotOvertakeInOneProcess() {
        assertNotOvertaken(third());
    }

    private void assertNotOvertaken(Locks party) {
        LockKey key = resource("u1", "a1", "r1");
        List<String> served = new CopyOnWriteArrayList<>();
        Lease reader = take(locks(), shared(key));
        Task<?> writer = start("writer", () -> serve(party, exclusive(key), served));
        stage().awaitWaiting(writer);
        refused(third(), shared(key));
        Task<?> late = start("late reader", () -> serve(party, shared(key), served));
        stage().awaitWaiting(late);
        reader.close();
        writer.result();
        late.result();
        assertThat(served).containsExactly("writer", "late reader");
    }

    @Test
    @DisplayName("late shared requests are served together once the exclusive one is done")
    default void sharedAreServedTogether() {
        LockKey key = resource("u1", "a1", "r1");
        Lease writer = take(locks(), exclusive(key));
        Task<Lease> one = startAcquire("one", other(), shared(key));
        Task<Lease> two = startAcquire("two", other(), shared(key));
        stage().awaitWaiting(one, two);
        writer.close();
        assertThat(List.of(one.result(), two.result())).allMatch(Lease::isHeld);
        one.result().close();
        two.result().close();
    }

    @Test
    @DisplayName("a late request without a conflict isn't delayed by a queue")
    default void strangersPassTheQueue() {
        Lease held = take(locks(), exclusive(resource("u1", "a1", "r1")));
        Task<Lease> waiting = startAcquire("waiting", other(), exclusive(resource("u1", "a1", "r1")));
        stage().awaitWaiting(waiting);
        take(third(), exclusive(resource("u1", "a1", "r2"))).close();
        take(third(), exclusive(account("u1", "a2"))).close();
        held.close();
        waiting.result().close();
    }

    @Test
    @DisplayName("the locks of one lease are released in reverse order")
    default void releasedInReverseOrder() {
        needsStoreWithout(StoreTrait.UNFAIR, NO_QUEUE);
        List<LockKey> keys = List.of(account("u1", "a1"), account("u1", "a2"), account("u1", "a3"));
        Lease held = take(locks(), exclusive(keys));
        List<Task<Lease>> waiting = new ArrayList<>();
        for (LockKey key : keys) {
            Task<Lease> task = startAcquire("waiter for " + key, other(), exclusive(key));
            stage().awaitWaiting(task);
            waiting.add(task);
        }
        held.close();
        List<FencingToken> granted =
                waiting.stream().map(task -> task.result().token()).toList();
        assertThat(granted).isSortedAccordingTo(Comparator.reverseOrder());
        waiting.forEach(task -> task.result().close());
    }
}
