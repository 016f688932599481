package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Named.EQUIPMENT;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fencing tokens rise with every grant of one key, and of the keys below one top-level key. */
interface TokenContract extends Scenario {
    private static FencingToken grant(Locks party, LockRequest request) {
        Lease lease = take(party, request);
        FencingToken token = lease.token();
        lease.close();
        return token;
    }

    @Test
    @DisplayName("tokens rise over consecutive grants of a key, in any request of any party")
    default void tokensRise() {
        List<FencingToken> ofA = new ArrayList<>();
        List<FencingToken> ofB = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ofA.add(grant(locks(), exclusive(CHARACTER.key("A"))));
            ofB.add(grant(other(), exclusive(EQUIPMENT.key("B"))));
            FencingToken ofBoth = grant(other(), exclusive(EQUIPMENT.key("B"), CHARACTER.key("A")));
            ofA.add(ofBoth);
            ofB.add(ofBoth);
            ofB.add(grant(locks(), exclusive(EQUIPMENT.key("B"))));
            ofA.add(grant(other(), exclusive(CHARACTER.key("A"))));
        }
        assertThat(ofA).isSorted().doesNotHaveDuplicates();
        assertThat(ofB).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("tokens rise over consecutive grants below one top-level key, in any mode")
    default void tokensRiseInATree() {
        List<FencingToken> tokens = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tokens.add(grant(locks(), shared(resource("u1", "a1", "r1"))));
            tokens.add(grant(other(), exclusive(account("u1", "a1"))));
            tokens.add(grant(locks(), exclusive(resource("u1", "a1", "r2"))));
            tokens.add(grant(other(), exclusive(resource("u1", "a2", "r1"))));
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("tokens rise strictly under contention")
    default void tokensRiseUnderContention() {
        List<FencingToken> tokens = new CopyOnWriteArrayList<>();
        List<Task<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Locks party = i % 2 == 0 ? locks() : other();
            tasks.add(start("contender " + i, () -> contend(party, CHARACTER.key("A"), tokens)));
        }
        tasks.forEach(Task::result);
        assertThat(tokens).hasSize(4 * 25).isSorted().doesNotHaveDuplicates();
    }

    private static boolean contend(Locks party, LockKey key, List<FencingToken> tokens) {
        for (int i = 0; i < 25; i++) {
            Lease lease = party.acquire(exclusive(key));
            tokens.add(lease.token());
            lease.close();
        }
        return true;
    }

    @Test
    @DisplayName("a renewal keeps the token")
    default void renewalKeepsTheToken() {
        Lease lease = take(locks(), exclusive(CHARACTER.key("A")));
        FencingToken before = lease.token();
        lease.renew();
        assertThat(lease.token()).isEqualTo(before);
        lease.close();
    }

    @Test
    @DisplayName("lease ids are never the same")
    default void leaseIdsDiffer() {
        List<Object> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Lease lease = take(i % 2 == 0 ? locks() : other(), exclusive(CHARACTER.key("A")));
            ids.add(lease.id());
            lease.close();
        }
        assertThat(Collections.unmodifiableList(ids)).doesNotHaveDuplicates();
    }
}
