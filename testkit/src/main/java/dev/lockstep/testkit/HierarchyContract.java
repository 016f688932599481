package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The scenarios of the hierarchy: what blocks what, and for how long. */
interface HierarchyContract extends Scenario {
    @Test
    @DisplayName("resource blocks same resource")
    default void resourceBlocksSameResource() {
        blocks(resource("u1", "a1", "r1"), resource("u1", "a1", "r1"));
    }

    @Test
    @DisplayName("resource allows different resource same account")
    default void resourceAllowsDifferentResource() {
        allows(resource("u1", "a1", "r1"), resource("u1", "a1", "r2"));
    }

    @Test
    @DisplayName("account blocks resource under same account")
    default void accountBlocksResource() {
        blocks(account("u1", "a1"), resource("u1", "a1", "r1"));
    }

    @Test
    @DisplayName("resource blocks its account")
    default void resourceBlocksAccount() {
        blocks(resource("u1", "a1", "r1"), account("u1", "a1"));
    }

    @Test
    @DisplayName("account allows resource under different account")
    default void accountAllowsForeignResource() {
        allows(account("u1", "a1"), resource("u1", "a2", "r1"));
    }

    @Test
    @DisplayName("user blocks account under same user")
    default void userBlocksAccount() {
        blocks(user("u1"), account("u1", "a1"));
    }

    @Test
    @DisplayName("account blocks its user")
    default void accountBlocksUser() {
        blocks(account("u1", "a1"), user("u1"));
    }

    @Test
    @DisplayName("user blocks resource under same user")
    default void userBlocksResource() {
        blocks(user("u1"), resource("u1", "a1", "r1"));
    }

    @Test
    @DisplayName("resource blocks its user")
    default void resourceBlocksUser() {
        blocks(resource("u1", "a1", "r1"), user("u1"));
    }

    @Test
    @DisplayName("user allows different user")
    default void userAllowsDifferentUser() {
        allows(user("u1"), user("u2"));
        allows(user("u1"), account("u2", "a1"));
        allows(user("u1"), resource("u2", "a1", "r1"));
    }

    @Test
    @DisplayName("ExhaustiveGeneratedMatrix")
    default void exhaustiveGeneratedMatrix() {
        assertThat(OrderedPairs.failures(OrderedPairs.things(false), stage())).isEmpty();
    }

    /** The second waits while the first is held, and is served once it is released. */
    private void blocks(LockKey first, LockKey second) {
        Lease held = take(locks(), exclusive(first));
        refused(other(), exclusive(second));
        Task<Lease> waiting = startAcquire("second", other(), exclusive(second));
        stage().awaitWaiting(waiting);
        assertThat(waiting.isDone()).isFalse();
        held.close();
        assertThat(waiting.result().isHeld()).isTrue();
        waiting.result().close();
    }

    private void allows(LockKey first, LockKey second) {
        Lease held = take(locks(), exclusive(first));
        Lease beside = take(other(), exclusive(second));
        assertThat(List.of(held, beside)).allMatch(Lease::isHeld);
        held.close();
        beside.close();
    }
}
