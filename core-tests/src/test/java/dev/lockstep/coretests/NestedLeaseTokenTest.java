package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A nested lease's token guards what its outer lease holds, too; here on a clock that stands still, so that only the grants raise tokens. */
class NestedLeaseTokenTest {
    private static final LockKind OUTER_KIND = LockKind.of("outer", 1);
    private static final LockKind INNER_KIND = LockKind.of("inner", 2);
    private static final LockKey OUTER = OUTER_KIND.key("o");

    private final Locks locks = Locks.builder(MemoryStore.on(new FakeClock())).build();

    private FencingToken grantAlone(LockKey key) {
        try (Lease lease = locks.acquire(exclusive(key))) {
            return lease.token();
        }
    }

    /** Each id may be in another part of the store. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f", "g", "h"})
    void isAboveTheOuterLeases(String id) {
        for (int i = 0; i < 100; i++) {
            grantAlone(OUTER);
        }
        try (Lease outer = locks.acquire(exclusive(OUTER));
                Lease nested = locks.acquire(exclusive(OUTER, INNER_KIND.key(id)))) {
            assertThat(nested.token()).isGreaterThan(outer.token());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f", "g", "h"})
    void isBelowThatOfTheNextHolderOfTheOuterKey(String id) {
        LockKey inner = INNER_KIND.key(id);
        for (int i = 0; i < 100; i++) {
            grantAlone(inner);
        }
        FencingToken token;
        try (Lease outer = locks.acquire(exclusive(OUTER));
                Lease nested = locks.acquire(exclusive(OUTER, inner))) {
            assertThat(outer.isHeld()).isTrue();
            token = nested.token();
        }
        assertThat(grantAlone(OUTER)).isGreaterThan(token);
    }

    @Test
    void ofALeaseThatOthersCoverIsTheirNewest() {
        try (Lease first = locks.acquire(exclusive(OUTER));
                Lease second = locks.acquire(exclusive(INNER_KIND.key("a")));
                Lease covered = locks.acquire(exclusive(OUTER, INNER_KIND.key("a")))) {
            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(covered.token()).isEqualTo(second.token());
        }
    }
}
