package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.NamedKind;
import org.junit.jupiter.api.Test;

/** Kinds without an enum. */
class NamedKindTest {
    private static final NamedKind ORDER = LockKind.of("order", 1);
    private static final NamedKind LINE = LockKind.of("line", 2).in(ORDER).asLeaf();

    @Test
    void firstLockTakesThreeLines() {
        try (Locks locks = Locks.inMemory();
                Lease lease = locks.acquire(exclusive(LockKind.of("order", 1).key("4711")))) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void kindInsideAnotherIsBelowIt() {
        assertThat(ORDER.key("1").child(LINE, "2")).hasToString("order:1/line:2");
        assertThat(LINE.parent()).contains(ORDER);
        assertThat(LINE.leaf()).isTrue();
    }

    @Test
    void invalidOnesAreRefusedAtOnceWithWhatToWrite() {
        assertThatThrownBy(() -> LockKind.of("Order", 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("'Order'")
                .hasMessageContaining("order-line");
        assertThatThrownBy(() -> LockKind.of(null, 1)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> LockKind.of("order", -1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> LockKind.of("part", 1).in(ORDER))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("rank of 2 or more");
        assertThatThrownBy(() -> LockKind.of("part", 3).in(LINE))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("leaf");
    }

    @Test
    void sameNameWithAnotherRankAndSameRankTwiceAreRefused() {
        try (Locks locks = Locks.inMemory()) {
            locks.acquire(exclusive(ORDER.key("1"))).close();
            assertThatThrownBy(() ->
                            locks.acquire(exclusive(LockKind.of("order", 7).key("1"))))
                    .isInstanceOf(KindMismatchException.class);
            assertThatThrownBy(() ->
                            locks.acquire(exclusive(LockKind.of("invoice", 1).key("1"))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("rank 1");
            assertThat(locks.snapshot().isEmpty()).isTrue();
        }
    }
}
