package dev.lockstep.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.concurrent.LockView;
import dev.lockstep.core.concurrent.LockViews;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The views of core. */
abstract class LockViewContract extends LockContract {
    private final Map<Locks, LockViews> views = new ConcurrentHashMap<>();

    private LockViews on(Locks of) {
        return views.computeIfAbsent(of, LockViews::on);
    }

    @Override
    LockView lock(Locks of, LockKey key) {
        return on(of).lock(key);
    }

    @Override
    Class<? extends Exception> lostException() {
        return LeaseLostException.class;
    }

    @Test
    void lockingAgainstTheOrderIsRefusedAndLocksNothing() {
        LockView step = lock(locks, Job.STEP.key("s"));
        step.lock();
        assertThatThrownBy(() -> lock(locks, Job.key("a")).lock()).isInstanceOf(OrderViolationException.class);
        step.unlock();
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void unorderedViewsAreLockedAndUnlockedInAnyOrder() {
        LockViews unordered = LockViews.unordered(locks);
        LockViews there = LockViews.unordered(elsewhere);
        LockView step = unordered.lock(Job.STEP.key("s"));
        LockView job = unordered.lock(Job.key("a"));
        LockView last = unordered.lock(Job.key("b"));
        step.lock();
        job.lock();
        last.lock();
        job.unlock();
        assertThat(there.lock(Job.key("a")).tryLock()).isTrue();
        assertThat(there.lock(Job.key("b")).tryLock()).isFalse();
        step.unlock();
        last.unlock();
        assertThat(there.lock(Job.key("b")).tryLock()).isTrue();
        there.lock(Job.key("a")).unlock();
        there.lock(Job.key("b")).unlock();
    }

    @Test
    void readersShareAndAWriterExcludesThem() throws Exception {
        ReadWriteLock here = on(locks).readWriteLock(Job.key("a"));
        ReadWriteLock there = on(elsewhere).readWriteLock(Job.key("a"));
        here.readLock().lock();
        assertThat(thread.does(() -> here.readLock().tryLock())).isTrue();
        assertThat(there.writeLock().tryLock()).isFalse();
        here.readLock().unlock();
        assertThat(there.writeLock().tryLock()).isFalse();
        thread.runs(() -> here.readLock().unlock());
        assertThat(there.writeLock().tryLock()).isTrue();
        assertThat(here.readLock().tryLock()).isFalse();
        there.writeLock().unlock();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriterMayReadAndKeepsTheKeyUntilBothAreUnlocked(boolean ordered) throws Exception {
        ReadWriteLock here = (ordered ? on(locks) : LockViews.unordered(locks)).readWriteLock(Job.key("a"));
        ReadWriteLock there = on(elsewhere).readWriteLock(Job.key("a"));
        here.writeLock().lock();
        here.readLock().lock();
        here.writeLock().unlock();
        assertThat(there.writeLock().tryLock()).isFalse();
        here.readLock().unlock();
        assertThat(there.writeLock().tryLock()).isTrue();
        there.writeLock().unlock();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReaderThatWantsToWriteIsRefused(boolean ordered) {
        ReadWriteLock here = (ordered ? on(locks) : LockViews.unordered(locks)).readWriteLock(Job.key("a"));
        here.readLock().lock();
        assertThatThrownBy(() -> here.writeLock().lock()).isInstanceOf(OrderViolationException.class);
        here.readLock().unlock();
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }

    @Test
    void theLeaseOfAViewIsThatOfItsThread() throws Exception {
        LockView view = lock(locks, Job.key("a"));
        assertThat(view.lease()).isEmpty();
        view.lock(Duration.ofSeconds(20));
        assertThat(view.lease()).get().satisfies(lease -> {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.keys()).containsExactly(Job.key("a"));
        });
        assertThat(thread.does(view::lease)).isEmpty();
        view.unlock();
        assertThat(view.lease()).isEmpty();
    }
}
