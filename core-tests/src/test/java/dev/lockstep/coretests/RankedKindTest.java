package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Ranked;
import org.junit.jupiter.api.Test;

/** Enums whose constants are kinds, without methods. */
class RankedKindTest {
    enum Shop implements LockKind {
        @Ranked(value = 30, in = "ORDER", leaf = true)
        ORDER_LINE,
        @Ranked(10)
        CUSTOMER,
        @Ranked(value = 20, in = "CUSTOMER", prefix = "purchase")
        ORDER
    }

    enum Unranked implements LockKind {
        THING
    }

    enum WithoutParent implements LockKind {
        @Ranked(value = 2, in = "MISSING")
        THING
    }

    enum Own implements LockKind {
        @Ranked(1)
        THING {
            @Override
            public int rank() {
                return 7;
            }
        }
    }

    enum Circle implements LockKind {
        @Ranked(value = 1, in = "OTHER")
        ONE,
        @Ranked(value = 2, in = "ONE")
        OTHER
    }

    @Test
    void constantsAreWhatTheirAnnotationsSay() {
        assertThat(KindDefinition.chain(Shop.ORDER_LINE))
                .extracting(KindDefinition::prefix)
                .containsExactly("customer", "purchase", "order-line");
        assertThat(Shop.ORDER_LINE.rank()).isEqualTo(30);
        assertThat(Shop.ORDER_LINE.leaf()).isTrue();
        assertThat(Shop.CUSTOMER.leaf()).isFalse();
        assertThat(Shop.CUSTOMER.parent()).isEmpty();
        try (Locks locks = Locks.inMemory();
                Lease lease = locks.acquire(exclusive(
                        Shop.CUSTOMER.key("c1").child(Shop.ORDER, "o1").child(Shop.ORDER_LINE, "1")))) {
            assertThat(lease.keys()).hasToString("[customer:c1/purchase:o1/order-line:1]");
        }
    }

    @Test
    void unusableOnesAreRefusedWithWhatToWrite() {
        assertThatThrownBy(Unranked.THING::rank)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Unranked.THING")
                .hasMessageContaining("@Ranked(");
        assertThatThrownBy(WithoutParent.THING::parent)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("\"MISSING\"");
        assertThatThrownBy(() -> KindDefinition.of(Own.THING))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining("rank 7");
        assertThatThrownBy(() -> KindDefinition.of(Circle.ONE))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("its own ancestor");
    }
}
