package dev.lockstep.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.lockstep.core.Ledger.Want;
import dev.lockstep.core.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

@DisplayName("many threads, few things")
@Execution(ExecutionMode.CONCURRENT) // two of the three mostly wait
class LocksStressTest {
    private static final int THREADS = 8;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(Locks.class);

    private final List<LockKey> things = things();
    private final Ledger ledger = new Ledger(things, 2 * THREADS);
    private final MemoryStore store = MemoryStore.create();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong deadlocks = new AtomicLong();
    private final AtomicLong interrupted = new AtomicLong();
    private final AtomicLong cancelled = new AtomicLong();
    private final long seed = Long.getLong("lockstep.seed", System.nanoTime());

    private static List<LockKey> things() {
        List<LockKey> things = new ArrayList<>();
        for (String user : List.of("u", "v")) {
            LockKey top = Estate.USER.key(user);
            things.add(top);
            for (String account : List.of("a", "b")) {
                LockKey middle = top.child(Estate.ACCOUNT, account);
                things.add(middle);
                for (String resource : List.of("r", "s", "t")) {
                    things.add(middle.child(Estate.RESOURCE, resource));
                }
            }
        }
        things.add(Estate.ITEM.key("i"));
        things.add(Estate.ITEM.key("j"));
        return things;
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF); // every deadlock would be told at length
    }

    @AfterAll
    static void loud() {
        LOG.setLevel(null);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName("under the guard exclude each other, never deadlock, and leave nothing behind")
    void guarded() throws InterruptedException {
        try (Locks locks = Locks.builder(store)
                .defaultTerm(LONG.multipliedBy(2))
                .leaveStoreOpen()
                .build()) {
            work(Scale.pick(100_000, 250_000, 8_000_000), thread -> new Worker(locks, thread, true));
            assertThat(deadlocks).hasValue(0);
            assertThat(List.of(granted.get(), refused.get(), interrupted.get(), cancelled.get()))
                    .as("granted, refused, interrupted, cancelled of %s", operations)
                    .allMatch(count -> count > 0);
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName("without the guard deadlock, get an error, and leave nothing behind")
    void unguarded() throws InterruptedException {
        try (Locks locks = Locks.builder(store)
                .defaultTerm(LONG.multipliedBy(2))
                .orderPolicy(OrderPolicy.OFF)
                .leaveStoreOpen()
                .build()) {
            work(Scale.pick(20_000, 50_000, 800_000), thread -> new Worker(locks, thread, false));
            assertThat(deadlocks.get()).isPositive();
            assertThat(refused).hasValue(0);
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName("a lease is over for its holder before the lock goes to the next one")
    void expiring() throws InterruptedException {
        try (Locks locks = Locks.builder(store).leaveStoreOpen().build()) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Scale.pick(1, 2, 60));
            AtomicReferenceArray<Lease> last = new AtomicReferenceArray<>(2);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(seed + i);
                threads.add(new Thread(() -> {
                    try {
                        while ((System.nanoTime() - end < 0 || granted.get() == 0 || refused.get() == 0)
                                && failure.get() == null) {
                            shortLife(locks, random, last);
                        }
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).as("seed %s", seed).isNull();
            assertThat(granted.get()).isPositive();
            assertThat(refused.get()).as("lost leases").isPositive();
        }
        await().untilAsserted(() -> assertThat(store.size()).isZero()); // lost leases are released in the background
    }

    private void shortLife(Locks locks, SplittableRandom random, AtomicReferenceArray<Lease> last)
            throws InterruptedException {
        int which = random.nextInt(2);
        Lease lease;
        try {
            lease = locks.acquire(LockRequest.exclusive(Estate.ITEM.key("short-" + which))
                    .forTerm(Duration.ofMillis(1 + random.nextInt(5)))
                    .within(LONG));
        } catch (LeaseLostException e) {
            return; // it was over before this thread got on
        }
        Lease before = last.getAndSet(which, lease);
        granted.incrementAndGet();
        boolean overlap = before != null && before.isHeld();
        if (lease.isHeld() && before != null) { // else it is the one that was late, not the other
            assertThat(overlap).as("%s is held, and so is %s", before, lease).isFalse();
            assertThat(before.token()).isLessThan(lease.token());
        }
        try {
            for (int i = random.nextInt(4); i > 0; i--) {
                lease.renew(Duration.ofMillis(1 + random.nextInt(4)));
            }
        } catch (LeaseLostException e) {
            assertThat(lease.isHeld()).isFalse();
        }
        if (random.nextInt(4) == 0) {
            while (lease.isHeld()) {
                Thread.sleep(1);
            }
            refused.incrementAndGet();
        }
        lease.close();
    }

    private interface WorkerFactory {
        Worker make(int thread);
    }

    private void work(int count, WorkerFactory factory) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Worker worker = factory.make(i);
            threads.add(new Thread(() -> worker.work(count), "stress-" + i));
        }
        threads.forEach(Thread::start);
        SplittableRandom random = new SplittableRandom(seed);
        while (threads.stream().anyMatch(Thread::isAlive)) {
            Thread.sleep(1);
            threads.get(random.nextInt(THREADS)).interrupt();
        }
        nothingWentWrong();
    }

    private void nothingWentWrong() {
        assertThat(failure.get()).as("seed %s", seed).isNull();
        assertThat(ledger.trouble()).as("seed %s", seed).isNull();
        assertThat(ledger.lost()).isEmpty();
        assertThat(ledger.increments()).isPositive();
        // what was cancelled while it was granted goes back on another thread
        Awaitility.await().until(() -> store.snapshot().isEmpty() && store.size() == 0);
    }

    /** One thread's random life. */
    private final class Worker {
        private final Locks locks;
        private final int thread;
        private final boolean guarded;
        private final SplittableRandom random;

        Worker(Locks locks, int thread, boolean guarded) {
            this.locks = locks;
            this.thread = thread;
            this.guarded = guarded;
            random = new SplittableRandom(seed + thread);
        }

        void work(int count) {
            try {
                while (operations.get() < count && failure.get() == null && ledger.trouble() == null) {
                    if (guarded && random.nextInt(10) == 0) {
                        async();
                    } else {
                        visit(thread, 0);
                    }
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }

        private List<Want> wants() {
            List<Want> wants = new ArrayList<>();
            for (int i = random.nextInt(10) < 6 ? 1 : 1 + random.nextInt(4); i > 0; i--) {
                int thing = random.nextInt(things.size());
                while (things.get(thing).kind() == Estate.USER && random.nextInt(4) > 0) {
                    thing = random.nextInt(things.size());
                }
                wants.add(new Want(thing, random.nextInt(10) < 4));
            }
            return wants;
        }

        private void visit(int actor, int depth) {
            operations.incrementAndGet();
            List<Want> wants = wants();
            try {
                Lease lease = ask(ledger.request(wants));
                if (lease != null) {
                    inside(actor, depth, wants, lease);
                }
            } catch (OrderViolationException e) {
                refused.incrementAndGet();
                if (depth == 0) {
                    throw e;
                }
            } catch (DeadlockException e) {
                deadlocks.incrementAndGet();
            } catch (LockTimeoutException e) {
                throw new AssertionError("An acquire waited for " + LONG + "; seed " + seed, e);
            } catch (LockException e) {
                if (e.code() != ErrorCode.INTERRUPTED || !Thread.interrupted()) {
                    throw e;
                }
                interrupted.incrementAndGet();
            }
        }

        private Lease ask(LockRequest request) {
            int how = random.nextInt(guarded ? 10 : 5);
            if (how < 5) {
                return locks.acquire(request.within(LONG));
            }
            Attempt attempt =
                    locks.tryAcquire(how < 6 ? request.within(Duration.ofNanos(200_000)) : request.withoutWaiting());
            return attempt instanceof Granted had ? had.lease() : null;
        }

        private void inside(int actor, int depth, List<Want> wants, Lease lease) {
            granted.incrementAndGet();
            Ledger.Visit visit = ledger.enter(actor, wants, lease.token());
            if (depth < 3 && random.nextInt(guarded ? 3 : 2) == 0) {
                visit(actor, depth + 1);
            }
            if (random.nextInt(16) == 0) {
                lease.renew();
            }
            if (random.nextInt(64) == 0) {
                LockSupport.parkNanos(1); // give the others the processor
            }
            visit.leave();
            ReleaseOutcome outcome = lease.release();
            if (outcome != ReleaseOutcome.RELEASED) {
                throw new AssertionError("Lost " + lease + "; seed " + seed);
            }
        }

        private void async() throws Exception {
            operations.incrementAndGet();
            List<Want> wants = wants();
            CompletableFuture<Lease> future =
                    locks.acquireAsync(ledger.request(wants).within(LONG));
            Lease lease = random.nextInt(3) == 0 && future.cancel(true) ? null : result(future);
            if (lease == null) {
                cancelled.incrementAndGet();
            } else if (random.nextBoolean()) {
                lease.bind(() -> inside(THREADS + thread, 0, wants, lease)).run();
            } else {
                inside(THREADS + thread, 3, wants, lease);
            }
        }

        private Lease result(CompletableFuture<Lease> future) throws ExecutionException, TimeoutException {
            try {
                return future.get(2 * LONG.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                return future.cancel(true) ? null : future.join();
            }
        }
    }
}
