package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Named.CUBE;
import static dev.lockstep.testkit.Named.DONATION;
import static dev.lockstep.testkit.Named.EQUIPMENT;
import static dev.lockstep.testkit.Named.LIKE;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.resource;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several locks in one call. */
interface SetsContract extends Scenario {
    @Test
    @DisplayName("deadlock_테스트_역순_Lock_획득")
    default void reverseOrderDoesNotDeadlock() {
        LockKey character = CHARACTER.key("A");
        LockKey equipment = EQUIPMENT.key("B");
        Task<Integer> forth = start("A then B", () -> repeat(locks(), character, equipment));
        Task<Integer> back = start("B then A", () -> repeat(other(), equipment, character));
        assertThat(forth.result() + back.result()).isEqualTo(200);
    }

    private static int repeat(Locks party, LockKey... keys) {
        int done = 0;
        for (; done < 100; done++) {
            party.acquire(exclusive(keys)).close();
        }
        return done;
    }

    @Test
    @DisplayName("NoDeadlock_MultiResourceOrdered")
    default void orderedResourcesDoNotDeadlock() {
        LockKey[] keys = {resource("u1", "a1", "r1"), resource("u1", "a1", "r2"), resource("u1", "a2", "r1")};
        LockKey[] reversed = {keys[2], keys[1], keys[0]};
        Task<Integer> forth = start("rising", () -> repeat(locks(), keys));
        Task<Integer> back = start("falling", () -> repeat(other(), reversed));
        assertThat(forth.result() + back.result()).isEqualTo(200);
    }

    @Test
    @DisplayName("sets named in any order are taken in one order")
    default void anyOrderOfNaming() {
        List<Task<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(i);
            Locks party = i % 2 == 0 ? locks() : other();
            tasks.add(start("shuffler " + i, () -> shuffleAndTake(party, random)));
        }
        assertThat(tasks).allSatisfy(task -> assertThat(task.result()).isEqualTo(50));
    }

    private static int shuffleAndTake(Locks party, Random random) {
        List<LockKey> keys = new ArrayList<>(List.of(
                CHARACTER.key("c"),
                EQUIPMENT.key("e"),
                CUBE.key("q"),
                DONATION.key("d"),
                LIKE.key("l"),
                resource("u1", "a1", "r1")));
        int done = 0;
        for (; done < 50; done++) {
            Collections.shuffle(keys, random);
            party.acquire(exclusive(keys.subList(0, 2 + random.nextInt(4)))).close();
        }
        return done;
    }

    @Test
    @DisplayName("keys of one call may repeat and contain one another")
    default void keysMayMeet() {
        LockKey inner = resource("u1", "a1", "r1");
        LockKey outer = inner.ancestor(1);
        Lease lease = take(locks(), exclusive(inner, outer, inner));
        refused(other(), exclusive(resource("u1", "a1", "r2")));
        lease.close();
        take(other(), exclusive(outer)).close();
    }

    @Test
    @DisplayName("all or nothing: a set whose last key is busy leaves nothing held")
    default void allOrNothing() {
        Lease last = take(locks(), exclusive(EQUIPMENT.key("B")));
        assertThat(refused(other(), exclusive(CHARACTER.key("A"), EQUIPMENT.key("B")))
                        .key())
                .isEqualTo(EQUIPMENT.key("B"));
        take(third(), exclusive(CHARACTER.key("A"))).close();
        last.close();
    }

    @Test
    @DisplayName("nested call is served before a set that waits for the outer lock")
    default void nestedCallIsServedFirst() {
        Lease outer = take(locks(), exclusive(CHARACTER.key("A")));
        Task<Lease> set = startAcquire("set", other(), exclusive(CHARACTER.key("A"), EQUIPMENT.key("B")));
        stage().awaitWaiting(set);
        Lease nested = take(locks(), exclusive(EQUIPMENT.key("B")));
        assertThat(set.isDone()).isFalse();
        nested.close();
        outer.close();
        set.result().close();
    }

    @Test
    @DisplayName("a waiting set holds what comes earlier in the order")
    default void waitingSetHoldsEarlierKeys() {
        Lease last = take(locks(), exclusive(EQUIPMENT.key("B")));
        Task<Lease> set = startAcquire("set", other(), exclusive(EQUIPMENT.key("B"), CHARACTER.key("A")));
        stage().awaitWaiting(set);
        refused(third(), exclusive(CHARACTER.key("A")));
        last.close();
        set.result().close();
    }
}
