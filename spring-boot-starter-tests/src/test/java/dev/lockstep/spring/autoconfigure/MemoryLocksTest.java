package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.LocksBuilderCustomizer;
import dev.lockstep.spring.StoreDoctor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Beans, settings and hooks, on the store that needs no server. */
@Tag("once")
class MemoryLocksTest {
    private final ApplicationContextRunner runner = Applications.plain()
            .withPropertyValues(
                    "lockstep.store=memory",
                    "lockstep.term=5m",
                    "lockstep.kinds.user.rank=0",
                    "lockstep.kinds.account.rank=1",
                    "lockstep.kinds.account.parent=user");

    @Test
    @DisplayName("there are locks, a store, kinds and a doctor")
    void beans() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(LockStore.class);
            Locks locks = context.getBean(Locks.class);
            try (Lease lease =
                    locks.acquire(exclusive(context.getBean(Kinds.class).parse("user:u1/account:a1")))) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(context.getBean(StoreDoctor.class).examine().isHealthy()).isTrue();
        });
    }

    @Test
    @DisplayName("settings reach the locks, and the owner names application, host and process")
    void settings() {
        runner.withPropertyValues(
                        "lockstep.wait=1500ms",
                        "lockstep.longest-hold=7m",
                        "lockstep.limits.id-length=3",
                        "spring.application.name=billing")
                .run(context -> {
                    Locks locks = context.getBean(Locks.class);
                    LockKey user = context.getBean(Kinds.class).parse("user:u1");
                    try (Lease held = elsewhere(locks, user)) {
                        assertThat(held.owner())
                                .startsWith("billing@")
                                .contains(":" + ProcessHandle.current().pid());
                        long start = System.nanoTime();
                        assertThatThrownBy(() -> locks.acquire(exclusive(user)))
                                .isInstanceOf(LockTimeoutException.class);
                        assertThat(Duration.ofNanos(System.nanoTime() - start))
                                .as("more than the default")
                                .isGreaterThanOrEqualTo(Duration.ofMillis(1500));
                    }
                    LockKey tooLong = context.getBean(Kinds.class).parse("user:u123");
                    assertThatThrownBy(() -> locks.acquire(exclusive(tooLong)))
                            .isInstanceOf(InvalidRequestException.class);
                });
    }

    private static Lease elsewhere(Locks locks, LockKey key) {
        return CompletableFuture.supplyAsync(() -> locks.acquire(exclusive(key)))
                .join();
    }

    @Test
    @DisplayName("lockstep.owner comes before the application's name")
    void owner() {
        runner.withPropertyValues("spring.application.name=billing", "lockstep.owner=desk-1")
                .run(context -> {
                    try (Lease held = context.getBean(Locks.class)
                            .acquire(exclusive(context.getBean(Kinds.class).parse("user:u1")))) {
                        assertThat(held.owner()).isEqualTo("desk-1");
                    }
                });
    }

    @Test
    @DisplayName("listeners hear of everything, and a customizer has the last word")
    void hooks() {
        List<LockEvent> heard = new CopyOnWriteArrayList<>();
        runner.withPropertyValues("lockstep.wait=1h")
                .withBean(LockListener.class, () -> heard::add)
                .withBean(LocksBuilderCustomizer.class, () -> builder -> builder.defaultWait(Duration.ofMillis(5)))
                .run(context -> {
                    Locks locks = context.getBean(Locks.class);
                    LockKey user = context.getBean(Kinds.class).parse("user:u1");
                    try (Lease held = elsewhere(locks, user)) {
                        assertThat(held.isHeld()).isTrue();
                        assertThatThrownBy(() -> locks.acquire(exclusive(user)))
                                .isInstanceOf(LockTimeoutException.class);
                    }
                    await().untilAsserted(() -> assertThat(heard).hasAtLeastOneElementOfType(LockEvent.TimedOut.class));
                });
    }

    @Test
    @DisplayName("a store of the application's own needs no lockstep.store, and is closed after the locks")
    void ownStore() {
        Applications.plain()
                .withBean("own", LockStore.class, MemoryStore::create)
                .run(context -> {
                    assertThat(context).hasSingleBean(LockStore.class).hasSingleBean(Locks.class);
                    assertThat(context.getBean(StoreDoctor.class).examine().isHealthy())
                            .isTrue();
                    context.getBean(Locks.class).close();
                    assertThat(context.getBean(LockStore.class).snapshot().holders())
                            .as("the store is still open")
                            .isEmpty();
                });
    }

    @Test
    @DisplayName("locks of the application's own need no store, and their doctor tells when they don't answer")
    void ownLocks() {
        Locks own = mock(Locks.class);
        Applications.plain().withBean("own", Locks.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(Locks.class).doesNotHaveBean(LockStore.class);
            StoreDoctor doctor = context.getBean(StoreDoctor.class);
            assertThat(doctor.examine().isHealthy()).isTrue();
            when(own.snapshot()).thenThrow(new LockException(ErrorCode.STORE_UNAVAILABLE, "Gone", List.of(), null));
            assertThat(doctor.examine().errors()).hasSize(1);
        });
    }

    @Test
    @DisplayName("the doctor looks at the application's own store, whatever lockstep.store says")
    void doctorOfOwnStore() {
        runner.withBean("own", LockStore.class, MemoryStore::create)
                .run(context -> assertThat(context).getBean(StoreDoctor.class).isInstanceOf(SnapshotDoctor.class));
        runner.withBean("own", Locks.class, Locks::inMemory)
                .run(context -> assertThat(context).getBean(StoreDoctor.class).isInstanceOf(SnapshotDoctor.class));
        runner.run(context -> assertThat(context).getBean(StoreDoctor.class).isNotInstanceOf(SnapshotDoctor.class));
    }

    @Test
    @DisplayName("an application may have several beans Locks")
    void severalLocks() {
        Applications.plain()
                .withBean("one", Locks.class, Locks::inMemory)
                .withBean("other", Locks.class, Locks::inMemory)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(StoreDoctor.class));
    }

    @Test
    @DisplayName("when the application ends, its locks are closed")
    void closes() {
        AtomicReference<Locks> locks = new AtomicReference<>();
        AtomicReference<Kinds> kinds = new AtomicReference<>();
        runner.run(context -> {
            locks.set(context.getBean(Locks.class));
            kinds.set(context.getBean(Kinds.class));
        });
        assertThatThrownBy(() -> locks.get().acquire(exclusive(kinds.get().parse("user:u1"))))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("closed");
    }

    @Test
    @DisplayName("lockstep.enabled=false leaves an application without locks")
    void disabled() {
        Applications.plain()
                .withPropertyValues("lockstep.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Locks.class));
    }
}
