package dev.lockstep.adapters;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link Lock} promises, between the threads of one process and between two processes. */
@Timeout(300)
abstract class LockContract {
    /** Longer than a machine stands still. */
    static final Duration LONG = Duration.ofSeconds(30);

    Locks locks;
    Locks elsewhere;
    final Hand thread = new Hand("hand");

    /** Locks in one place, and at the next call other ones in the same place. */
    abstract LocksBuilder place() throws Exception;

    /** The lock of a key on these locks: the same one at each call. */
    abstract Lock lock(Locks of, LockKey key);

    @BeforeEach
    final void open() throws Exception {
        locks = place().defaultTerm(LONG).build();
        elsewhere = place().defaultTerm(LONG).build();
    }

    @AfterEach
    final void close() {
        thread.close();
        elsewhere.close();
        locks.close();
    }

    private Lock lock() {
        return lock(locks, Job.key("a"));
    }

    private Lock sameElsewhere() {
        return lock(elsewhere, Job.key("a"));
    }

    private void awaitWaiter() {
        await().until(() -> !locks.snapshot().waiters().isEmpty());
    }

    @Test
    void excludesOtherThreadsAndProcesses() throws Exception {
        lock().lock();
        assertThat(thread.does(() -> lock().tryLock())).isFalse();
        assertThat(sameElsewhere().tryLock()).isFalse();
        lock().unlock();
        assertThat(sameElsewhere().tryLock()).isTrue();
        sameElsewhere().unlock();
    }

    @Test
    void theHoldingThreadLocksAgainAndUnlocksAsOften() {
        lock().lock();
        assertThat(lock().tryLock()).isTrue();
        lock().unlock();
        assertThat(sameElsewhere().tryLock()).isFalse();
        lock().unlock();
        assertThat(sameElsewhere().tryLock()).isTrue();
        sameElsewhere().unlock();
    }

    @Test
    void unlockByAThreadThatDoesNotHoldIsRefused() throws Exception {
        assertThatThrownBy(() -> lock().unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("job:a");
        lock().lock();
        assertThatThrownBy(() -> thread.runs(() -> lock().unlock())).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(sameElsewhere().tryLock()).isFalse();
        lock().unlock();
        assertThatThrownBy(() -> lock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lockWaitsUntilItIsUnlocked() throws Exception {
        lock().lock();
        CompletableFuture<Boolean> waiting = thread.start(locked(() -> lock().lock()));
        awaitWaiter();
        assertThat(waiting).isNotDone();
        lock().unlock();
        assertThat(Hand.result(waiting)).isTrue();
        thread.runs(() -> lock().unlock());
    }

    @Test
    void tryLockWaitsForItsTime() throws Exception {
        lock().lock();
        assertThat(thread.does(() -> lock().tryLock(20, MILLISECONDS))).isFalse();
        assertThat(thread.does(() -> lock().tryLock(0, MILLISECONDS))).isFalse();
        assertThat(thread.does(() -> lock().tryLock(-1, SECONDS))).isFalse();
        CompletableFuture<Boolean> waiting = thread.start(() -> lock().tryLock(Long.MAX_VALUE, DAYS));
        awaitWaiter();
        lock().unlock();
        assertThat(Hand.result(waiting)).isTrue();
        thread.runs(() -> lock().unlock());
    }

    @Test
    void anInterruptEndsAnInterruptibleWait() throws Exception {
        lock().lock();
        CompletableFuture<Boolean> waiting = thread.start(locked(() -> lock().lockInterruptibly()));
        awaitWaiter();
        thread.interrupt();
        assertThatThrownBy(() -> Hand.result(waiting)).isInstanceOf(InterruptedException.class);
        assertThat(thread.does(Thread::interrupted)).as("still interrupted").isFalse();
        await().until(() -> locks.snapshot().waiters().isEmpty());
        lock().unlock();
        assertThat(sameElsewhere().tryLock()).isTrue();
        sameElsewhere().unlock();
    }

    @Test
    void aThreadThatIsInterruptedAlreadyDoesNotLockInterruptibly() throws Exception {
        assertThatThrownBy(() -> thread.does(interrupted(() -> {
                    lock().lockInterruptibly();
                    return true;
                })))
                .isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> thread.does(interrupted(() -> lock().tryLock(1, SECONDS))))
                .isInstanceOf(InterruptedException.class);
        assertThat(sameElsewhere().tryLock()).isTrue();
        sameElsewhere().unlock();
    }

    @Test
    void anInterruptDoesNotEndLock() throws Exception {
        lock().lock();
        CompletableFuture<Boolean> waiting = thread.start(() -> {
            lock().lock();
            return Thread.interrupted();
        });
        awaitWaiter();
        thread.interrupt();
        await().until(() -> !waiting.isDone());
        awaitWaiter();
        lock().unlock();
        assertThat(Hand.result(waiting)).as("interrupted afterwards").isTrue();
        thread.runs(() -> lock().unlock());
    }

    @Test
    void tryLockIgnoresAnInterrupt() throws Exception {
        assertThat(thread.does(interrupted(() -> lock().tryLock() && Thread.interrupted())))
                .isTrue();
        thread.runs(() -> lock().unlock());
    }

    @Test
    void conditionsAreRefused() {
        assertThatThrownBy(() -> lock().newCondition())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no conditions");
    }

    @Test
    void aLostLockIsReportedWhenItIsUnlocked() throws Exception {
        lock().lock();
        locks.close();
        assertThatThrownBy(() -> lock().lock()).hasMessageContaining("is lost");
        assertThatThrownBy(() -> lock().unlock()).isInstanceOf(lostException());
        assertThatThrownBy(() -> lock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        await().pollInSameThread().until(() -> sameElsewhere().tryLock());
        sameElsewhere().unlock();
    }

    abstract Class<? extends Exception> lostException();

    /** A step that may throw what locking throws. */
    interface Locking {
        void run() throws Exception;
    }

    static Callable<Boolean> locked(Locking step) {
        return () -> {
            step.run();
            return true;
        };
    }

    static <T> Callable<T> interrupted(Callable<T> step) {
        return () -> {
            Thread.currentThread().interrupt();
            return step.call();
        };
    }
}
