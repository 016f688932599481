package dev.lockstep.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.springintegration.LockstepLockRegistry;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

/** What Spring Integration expects of a registry, beyond what {@code Lock} promises. */
abstract class RegistryContract extends LockContract {
    private final Map<Locks, LockstepLockRegistry> registries = new ConcurrentHashMap<>();

    private LockstepLockRegistry on(Locks of) {
        return registries.computeIfAbsent(of, each -> LockstepLockRegistry.on(each, Job.KIND));
    }

    @Override
    DistributedLock lock(Locks of, LockKey key) {
        return on(of).obtain(key.id());
    }

    @Override
    Class<? extends Exception> lostException() {
        return ConcurrentModificationException.class;
    }

    @Test
    void aTaskRunsLockedAndTimesOut() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        on(locks).executeLocked("a", runs::incrementAndGet);
        on(elsewhere).obtain("a").lock();
        assertThatThrownBy(() -> on(locks).executeLocked("a", Duration.ofMillis(20), runs::incrementAndGet))
                .isInstanceOf(TimeoutException.class);
        on(elsewhere).obtain("a").unlock();
        assertThat(runs).hasValue(1);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void groupsAreLockedInsideEachOtherInAnyOrder() {
        for (String[] order : new String[][] {{"a", "b"}, {"b", "a"}}) {
            on(locks).obtain(order[0]).lock();
            on(locks).obtain(order[1]).lock();
            on(locks).obtain(order[0]).unlock();
            on(locks).obtain(order[1]).unlock();
        }
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void aLockWithATimeToLiveIsHeldAndRenewed() throws Exception {
        DistributedLock lock = on(locks).obtain("a");
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(20))).isTrue();
        on(locks).renewLock("a", Duration.ofSeconds(25));
        on(locks).renewLock("a");
        assertThat(on(elsewhere).obtain("a").tryLock()).isFalse();
        lock.unlock();
        lock.lock(Duration.ofSeconds(20));
        lock.unlock();
        assertThat(on(elsewhere).obtain("a").tryLock()).isTrue();
        on(elsewhere).obtain("a").unlock();
    }

    @Test
    void onlyTheHoldingThreadRenews() throws Exception {
        assertThatThrownBy(() -> on(locks).renewLock("a"))
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("Nothing was renewed");
        on(locks).obtain("a").lock();
        assertThatThrownBy(() -> thread.runs(() -> on(locks).renewLock("a", Duration.ofSeconds(20))))
                .isInstanceOf(IllegalMonitorStateException.class);
        on(locks).obtain("a").unlock();
    }

    @Test
    void renewingALostLockIsAnError() {
        on(locks).obtain("a").lock();
        locks.close();
        assertThatThrownBy(() -> on(locks).renewLock("a")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> on(locks).obtain("a").unlock()).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void equalKeysAreOneLock() {
        UUID id = UUID.fromString("00000000-0000-0000-0000-00000000000a");
        assertThat(on(locks).obtain(id)).isEqualTo(on(locks).obtain(id.toString()));
        on(locks).obtain(7).lock();
        assertThat(on(elsewhere).obtain("7").tryLock()).isFalse();
        assertThat(on(elsewhere).obtain(Job.key("7")).tryLock()).isFalse();
        on(locks).expireUnusedOlderThan(0);
        on(locks).obtain("7").unlock();
    }

    @Test
    void keysWithoutAStableTextAreRefused() {
        assertThatThrownBy(() -> on(locks).obtain(new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Object");
        assertThatThrownBy(() -> on(locks).obtain(null)).isInstanceOf(IllegalArgumentException.class);
    }
}
