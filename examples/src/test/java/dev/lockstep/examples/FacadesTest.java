package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;
import static dev.lockstep.examples.LockType.LIKE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.examples.HierLock.LockHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources' own API, with the sources' own scenarios. */
@Timeout(300)
class FacadesTest {
    // The common pool may have a single thread, and these tasks wait for one another.
    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    private final Locks locks = Locks.builder(MemoryStore.create())
            .defaultTerm(Duration.ofMinutes(1))
            .defaultWait(Duration.ofMinutes(2))
            .build();

    @AfterEach
    void nothingIsLeft() {
        assertThat(locks.snapshot().isEmpty()).isTrue();
        locks.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HierLock", "OrderedLockManager", "LockType"})
    void thin(String facade) {
        String source = Repository.read(
                Repository.ROOT.resolve("examples/src/main/java/dev/lockstep/examples/" + facade + ".java"));
        assertThat(source.lines().count()).isLessThanOrEqualTo(60);
    }

    /** Takes what a path of one, two or three ids names. */
    static LockHandle acquire(HierLock hierLock, String path) {
        String[] ids = path.split("/", -1);
        return switch (ids.length) {
            case 1 -> hierLock.acquire(AccountKinds.USER, ids[0], "", "");
            case 2 -> hierLock.acquire(AccountKinds.ACCOUNT, ids[0], ids[1], "");
            default -> hierLock.acquire(AccountKinds.RESOURCE, ids[0], ids[1], ids[2]);
        };
    }

    @Nested
    @DisplayName("HierLock")
    class Hierarchy {
        private final HierLock hierLock = new HierLock(locks);

        private LockHandle acquire(String path) {
            return FacadesTest.acquire(hierLock, path);
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource({
            "resource blocks same resource, u1/a1/r1, u1/a1/r1",
            "account blocks resource under same account, u1/a1, u1/a1/r1",
            "resource blocks its account, u1/a1/r1, u1/a1",
            "user blocks account under same user, u1, u1/a1",
            "user blocks resource under same user, u1, u1/a1/r1",
        })
        void blocks(String name, String first, String second) {
            LockHandle held = acquire(first);
            CompletableFuture<LockHandle> waiting = CompletableFuture.supplyAsync(() -> acquire(second), NEW_THREAD);
            awaitWaiters(1);
            assertThat(waiting).as(name).isNotDone();
            held.release();
            waiting.join().release();
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource({
            "resource allows different resource same account, u1/a1/r1, u1/a1/r2",
            "user allows different user, u1, u2",
            "user allows resource of different user, u1, u2/a1/r1",
        })
        void allows(String name, String first, String second) {
            LockHandle held = acquire(first);
            LockHandle beside = CompletableFuture.supplyAsync(() -> acquire(second), NEW_THREAD)
                    .join();
            assertThat(List.of(held, beside))
                    .as(name)
                    .allMatch(handle -> handle.lease().isHeld());
            held.release();
            beside.release();
        }

        @Test
        @DisplayName("NoDeadlock_MultiResourceOrdered")
        void resourcesInAnyOrder() {
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Integer> forth = takeOften(start, List.of("r1", "r2", "r3"));
            CompletableFuture<Integer> back = takeOften(start, List.of("r3", "r2", "r1"));
            assertThat(forth.join() + back.join()).isEqualTo(400);
        }

        private CompletableFuture<Integer> takeOften(CyclicBarrier start, List<String> resources) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        int done = 0;
                        for (; done < 200; done++) {
                            meet(start, done);
                            hierLock.acquireResources("u1", "a1", resources).release();
                        }
                        return done;
                    },
                    NEW_THREAD);
        }

        private void meet(CyclicBarrier start, int turn) {
            if (turn == 0) {
                try {
                    start.await(60, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new AssertionError("The other one never came", e);
                }
            }
        }

        @Test
        @DisplayName("required ids that are empty or null are rejected")
        @SuppressWarnings("NullAway") // on purpose
        void badIds() {
            assertThatThrownBy(() -> acquire("u1//r1")).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> acquire("")).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> hierLock.acquire(AccountKinds.ACCOUNT, "u1", null, null))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> hierLock.acquireResources("u1", "a1", List.of()))
                    .isInstanceOf(InvalidRequestException.class);
        }

        @Test
        @DisplayName("a handle may be released twice")
        void releasedTwice() {
            LockHandle handle = acquire("u1");
            handle.release();
            handle.release();
            assertThat(handle.lease().isHeld()).isFalse();
        }
    }

    private void awaitWaiters(int count) {
        while (locks.snapshot().waiters().size() < count) {
            Backstage.pause(Duration.ofMillis(1));
        }
    }

    @Nested
    @DisplayName("OrderedLockManager")
    class Ordered {
        private final OrderedLockManager manager = new OrderedLockManager(locks);
        private final LockType.LockKey character = new LockType.LockKey(CHARACTER, "A");
        private final LockType.LockKey equipment = new LockType.LockKey(EQUIPMENT, "B");

        @Test
        @DisplayName("deadlock_테스트_역순_Lock_획득")
        void reverseOrder() throws InterruptedException {
            CountDownLatch bothDone = new CountDownLatch(2);
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger successes = new AtomicInteger();
            Runnable action = () -> {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                Backstage.pause(Duration.ofMillis(100));
                inside.decrementAndGet();
                successes.incrementAndGet();
            };
            Backstage.start("forth", () -> {
                manager.executeWithLocks(List.of(character, equipment), action);
                bothDone.countDown();
            });
            Backstage.start("back", () -> {
                manager.executeWithLocks(List.of(equipment, character), action);
                bothDone.countDown();
            });
            assertThat(bothDone.await(120, TimeUnit.SECONDS)).isTrue();
            assertThat(successes).hasValue(2);
        }

        @Test
        @DisplayName("all locks are released, and the action's own error is thrown")
        void failingAction() {
            IllegalStateException own = new IllegalStateException("the action failed");
            assertThatThrownBy(() -> manager.executeWithLocks(List.of(equipment, character), () -> {
                        throw own;
                    }))
                    .isSameAs(own);
        }

        @Test
        @DisplayName("a timeout names the key that was waited for and who holds it, and nothing stays held")
        void timeout() {
            try (Locks impatient = Locks.builder(MemoryStore.create())
                    .defaultTerm(Duration.ofMinutes(1))
                    .defaultWait(Duration.ofMillis(50))
                    .build()) {
                impatient
                        .acquireAsync(exclusive(EQUIPMENT.key("B")).as("repair"))
                        .join();
                assertThatThrownBy(() -> new OrderedLockManager(impatient)
                                .executeWithLocks(List.of(equipment, character), () -> {}))
                        .isInstanceOf(LockTimeoutException.class)
                        .hasMessageContaining("X(equipment:B) must wait for 'repair'");
                assertThat(impatient.tryAcquire(exclusive(CHARACTER.key("A")))).isInstanceOf(Granted.class);
            }
        }
    }

    @Nested
    @DisplayName("LockType")
    class Named {
        @Test
        @DisplayName("the text form is rank, prefix and id")
        void textForm() {
            assertThat(EQUIPMENT.getLockKey("B")).isEqualTo("02:equipment:B");
            assertThat(new LockType.LockKey(LIKE, "x").getFullKey()).isEqualTo("05:like:x");
        }

        @Test
        @DisplayName("keys are sorted by number, then by id")
        void sorted() {
            assertThat(LockType.sortLockKeys(List.of(
                            new LockType.LockKey(LIKE, "a"),
                            new LockType.LockKey(CHARACTER, "b"),
                            new LockType.LockKey(EQUIPMENT, "c"),
                            new LockType.LockKey(CHARACTER, "a"))))
                    .containsExactly("01:character:a", "01:character:b", "02:equipment:c", "05:like:a");
        }
    }
}
