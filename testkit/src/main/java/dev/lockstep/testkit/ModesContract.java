package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.testkit.Scenario.refused;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.spi.StoreTrait;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Shared and exclusive, of things and of whole subtrees. */
interface ModesContract extends Scenario {
    /** Why a store without intent modes skips. */
    String NO_INTENTS = "a shared lock of what may have children excludes everyone";

    @Test
    @DisplayName("shared allows shared of one resource")
    default void sharedAllowsShared() {
        Lease one = take(locks(), shared(resource("u1", "a1", "r1")));
        Lease other = take(other(), shared(resource("u1", "a1", "r1")));
        one.close();
        other.close();
    }

    @Test
    @DisplayName("shared blocks exclusive, and exclusive blocks shared")
    default void sharedBlocksExclusive() {
        Lease reader = take(locks(), shared(resource("u1", "a1", "r1")));
        refused(other(), exclusive(resource("u1", "a1", "r1")));
        reader.close();
        Lease writer = take(locks(), exclusive(resource("u1", "a1", "r1")));
        refused(other(), shared(resource("u1", "a1", "r1")));
        writer.close();
    }

    @Test
    @DisplayName("a shared subtree blocks exclusive below it")
    default void sharedSubtreeBlocksExclusiveBelow() {
        Lease reader = take(locks(), shared(account("u1", "a1")));
        refused(other(), exclusive(resource("u1", "a1", "r1")));
        refused(other(), exclusive(user("u1")));
        take(other(), exclusive(resource("u1", "a2", "r1"))).close();
        reader.close();
    }

    @Test
    @DisplayName("exclusive inside blocks the shared subtree around it")
    default void exclusiveInsideBlocksSharedSubtree() {
        Lease writer = take(locks(), exclusive(resource("u1", "a1", "r1")));
        refused(other(), shared(account("u1", "a1")));
        refused(other(), shared(user("u1")));
        writer.close();
    }

    @Test
    @DisplayName("a shared subtree allows shared below it and around it")
    default void sharedSubtreeAllowsShared() {
        needsStoreWithout(StoreTrait.TWO_MODES, NO_INTENTS);
        Lease reader = take(locks(), shared(account("u1", "a1")));
        take(other(), shared(resource("u1", "a1", "r1"))).close();
        take(other(), shared(account("u1", "a1"))).close();
        take(other(), shared(user("u1"))).close();
        reader.close();
    }

    @Test
    @DisplayName("shared of the whole with one part exclusive lets others read the other parts")
    default void sharedWithIntentExclusive() {
        needsStoreWithout(StoreTrait.TWO_MODES, NO_INTENTS);
        Lease updater = take(locks(), shared(account("u1", "a1")).andExclusive(resource("u1", "a1", "r1")));
        take(other(), shared(resource("u1", "a1", "r2"))).close();
        refused(other(), shared(resource("u1", "a1", "r1")));
        refused(other(), exclusive(resource("u1", "a1", "r2")));
        refused(other(), shared(account("u1", "a1")));
        refused(other(), shared(account("u1", "a1")).andExclusive(resource("u1", "a1", "r2")));
        updater.close();
        take(other(), shared(account("u1", "a1"))).close();
    }

    @Test
    @DisplayName("shared of the whole with one part exclusive excludes writers on every store")
    default void sharedWithPartExclusiveExcludesWriters() {
        Lease updater = take(locks(), exclusive(resource("u1", "a1", "r1")).andShared(account("u1", "a1")));
        refused(other(), exclusive(resource("u1", "a1", "r1")));
        refused(other(), exclusive(resource("u1", "a1", "r2")));
        refused(other(), exclusive(account("u1", "a1")));
        updater.close();
        take(other(), exclusive(account("u1", "a1"))).close();
    }

    @Test
    @DisplayName("a lease that is downgraded is shared, or says that it is still exclusive")
    default void downgrade() {
        Lease writer = take(locks(), exclusive(resource("u1", "a1", "r1")));
        if (writer.downgrade() == LockMode.SHARED) {
            take(other(), shared(resource("u1", "a1", "r1"))).close();
        } else {
            refused(other(), shared(resource("u1", "a1", "r1")));
        }
        refused(other(), exclusive(resource("u1", "a1", "r1")));
        assertThat(writer.isHeld()).isTrue();
        writer.close();
        take(other(), exclusive(resource("u1", "a1", "r1"))).close();
        assertThatThrownBy(writer::downgrade).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("ExhaustiveGeneratedMatrix of shared and exclusive")
    default void exhaustiveMatrixOfModes() {
        needsStoreWithout(StoreTrait.TWO_MODES, NO_INTENTS);
        assertThat(OrderedPairs.failures(OrderedPairs.things(true), stage())).isEmpty();
    }
}
