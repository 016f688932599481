package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.lockstep.core.CallSites;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ObservedOrder;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ObservedOrderTest {
    private static final LockKind CHARACTER = LockKind.of("character", 1);
    private static final LockKind EQUIPMENT = LockKind.of("equipment", 2);
    private static final LockKind USER = LockKind.of("user", 10);
    private static final LockKind ACCOUNT = LockKind.of("account", 11).in(USER);

    private static Locks locks(OrderPolicy policy) {
        return Locks.builder(MemoryStore.create())
                .orderPolicy(policy)
                .callSites(CallSites.ALWAYS)
                .build();
    }

    private static void nest(Locks locks, LockKind outer, LockKind inner) {
        locks.run(exclusive(outer.key("a")), lease -> locks.run(exclusive(inner.key("b")), nested -> {}));
    }

    @Test
    @DisplayName(
            "kinds that are requested under others are observed with their lines, in the text of the compiler's report")
    void nested() {
        try (Locks locks = locks(OrderPolicy.FAIL)) {
            nest(locks, CHARACTER, EQUIPMENT);
            locks.run(
                    exclusive(CHARACTER.key("a")),
                    lease -> locks.run(exclusive(USER.key("u").child(ACCOUNT, "a")), nested -> {}));
            ObservedOrder observed = locks.observedOrder();
            assertThat(observed.complete()).isTrue();
            assertThat(observed.toString())
                    .matches("character \\(rank 1\\) -> equipment \\(rank 2\\)\n"
                            + "    dev\\.lockstep\\.coretests\\.ObservedOrderTest\\.nest\\(ObservedOrderTest\\.java:\\d+\\), held since"
                            + " dev\\.lockstep\\.coretests\\.ObservedOrderTest\\.nest\\(ObservedOrderTest\\.java:\\d+\\)\n"
                            + "character \\(rank 1\\) -> account \\(rank 11\\)\n"
                            + "    .*ObservedOrderTest\\.nested\\(.*\n");
            assertThat(observed.bothWays()).isEmpty();
        }
    }

    @Test
    @DisplayName("what is alone, covered or refused is not observed")
    void nothing() {
        try (Locks locks = locks(OrderPolicy.FAIL)) {
            locks.run(exclusive(CHARACTER.key("a")), lease -> {});
            locks.run(exclusive(CHARACTER.key("a")), lease -> locks.run(shared(CHARACTER.key("a")), nested -> {}));
            assertThatThrownBy(() -> nest(locks, EQUIPMENT, CHARACTER)).isInstanceOf(OrderViolationException.class);
            assertThat(locks.observedOrder()).isEqualTo(ObservedOrder.NOTHING);
        }
    }

    @Test
    @DisplayName("kinds that were nested in both orders under WARN are found")
    void bothWays() {
        try (Locks locks = locks(OrderPolicy.WARN)) {
            nest(locks, CHARACTER, EQUIPMENT);
            nest(locks, EQUIPMENT, USER);
            assertThat(locks.observedOrder().bothWays()).isEmpty();
            nest(locks, EQUIPMENT, CHARACTER);
            assertThat(locks.observedOrder().bothWays())
                    .extracting(ObservedOrder.Pair::held, ObservedOrder.Pair::requested)
                    .containsExactly(tuple("character", "equipment"), tuple("equipment", "character"));
        }
    }

    @Test
    @DisplayName("however many pairs and places there are, a bounded number is kept")
    void bounded() {
        try (Locks locks = locks(OrderPolicy.FAIL)) {
            for (int i = 0; i < 1_200; i++) {
                nest(locks, CHARACTER, LockKind.of("kind" + i, 100 + i));
                nest(locks, CHARACTER, EQUIPMENT);
            }
            assertThat(locks.observedOrder().pairs()).hasSizeBetween(1_000, 1_010);
            assertThat(locks.observedOrder().complete()).isFalse();
            assertThat(locks.observedOrder().pairs())
                    .allSatisfy(pair -> assertThat(pair.places()).hasSizeBetween(1, 4));
        }
    }
}
