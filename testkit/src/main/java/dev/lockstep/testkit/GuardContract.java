package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Named.EQUIPMENT;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.OrderViolationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nested calls against the order fail before they can block. */
interface GuardContract extends Scenario {
    @Test
    @DisplayName("a nested call of a lower rank fails, naming both call sites")
    default void lowerRankFails() {
        Lease outer = takeFirst(exclusive(EQUIPMENT.key("B")));
        checkRefused(exclusive(CHARACTER.key("A")), EQUIPMENT.key("B"), false);
        outer.close();
        take(locks(), exclusive(CHARACTER.key("A"))).close();
    }

    @Test
    @DisplayName("a nested call of a lower rank fails even when it would have to wait")
    default void failsBeforeItBlocks() {
        Lease busy = take(other(), exclusive(CHARACTER.key("A")));
        Lease outer = takeFirst(exclusive(EQUIPMENT.key("B")));
        checkRefused(exclusive(CHARACTER.key("A")), EQUIPMENT.key("B"), false);
        outer.close();
        busy.close();
    }

    @Test
    @DisplayName("a nested call of the same rank fails")
    default void sameRankFails() {
        Lease outer = takeFirst(exclusive(CHARACTER.key("A")));
        checkRefused(exclusive(CHARACTER.key("B")), CHARACTER.key("A"), false);
        outer.close();
    }

    @Test
    @DisplayName("a nested call for a sibling in the hierarchy fails")
    default void siblingFails() {
        Lease outer = takeFirst(exclusive(resource("u1", "a1", "r1")));
        checkRefused(exclusive(resource("u1", "a1", "r2")), resource("u1", "a1", "r1"), false);
        outer.close();
    }

    @Test
    @DisplayName("an upgrade from shared to exclusive fails")
    default void upgradeFails() {
        Lease outer = takeFirst(shared(CHARACTER.key("A")));
        checkRefused(exclusive(CHARACTER.key("A")), CHARACTER.key("A"), true);
        outer.close();
    }

    @Test
    @DisplayName("exclusive below a shared ancestor is an upgrade and fails")
    default void intentUpgradeFails() {
        Lease outer = takeFirst(shared(account("u1", "a1")));
        OrderViolation violation = violation(exclusive(resource("u1", "a1", "r1")));
        assertThat(violation.isUpgrade()).isTrue();
        outer.close();
    }

    @Test
    @DisplayName("a failed nested call leaves the outer lease alone")
    default void outerStays() {
        Lease outer = takeFirst(exclusive(EQUIPMENT.key("B")));
        checkRefused(exclusive(CHARACTER.key("A"), EQUIPMENT.key("B")), EQUIPMENT.key("B"), false);
        assertThat(outer.isHeld()).isTrue();
        take(locks(), exclusive(EQUIPMENT.key("B"))).close();
        outer.close();
    }

    @Test
    @DisplayName("WARN reports the violation and proceeds")
    default void warnContinues() {
        EventProbe probe = new EventProbe();
        Locks warning =
                stage().party(options -> options.orderPolicy(OrderPolicy.WARN).listener(probe));
        Lease outer = take(warning, exclusive(EQUIPMENT.key("B")));
        Lease inner = take(warning, exclusive(CHARACTER.key("A")));
        assertThat(probe.await(LockEvent.OrderViolated.class).policy()).isEqualTo(OrderPolicy.WARN);
        inner.close();
        outer.close();
    }

    /** Its own method, so that the call site has a name. */
    private Lease takeFirst(LockRequest request) {
        return take(locks(), request);
    }

    private OrderViolation violation(LockRequest request) {
        OrderViolationException error =
                catchThrowableOfType(OrderViolationException.class, () -> locks().acquire(request));
        assertThat(error).as("%s", request).isNotNull();
        assertThat(error.retryable()).isFalse();
        return error.violation();
    }

    private void checkRefused(LockRequest request, LockKey held, boolean upgrade) {
        int before = locks().snapshot().holders().size();
        OrderViolation violation = violation(request);
        assertThat(violation.held().key()).isEqualTo(held);
        assertThat(violation.isUpgrade()).isEqualTo(upgrade);
        assertThat(violation.heldAt())
                .hasValueSatisfying(site -> assertThat(site.toString()).contains("Scenario.take"));
        assertThat(violation.askedAt())
                .hasValueSatisfying(site -> assertThat(site.toString()).contains("GuardContract"));
        assertThat(violation.toString()).contains(held.toString(), "Scenario.take", "GuardContract");
        assertThat(locks().snapshot().holders()).hasSize(before);
    }
}
