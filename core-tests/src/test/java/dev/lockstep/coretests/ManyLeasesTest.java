package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Thousands of leases in one process, on a store that is slow, in part dead, or unavailable. */
@Timeout(300)
@Isolated // it counts threads
class ManyLeasesTest {
    private static final Duration TERM = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(300);

    private final FakeClock clock = new FakeClock();
    private final MemoryStore memory = MemoryStore.on(clock);
    private final Around store = new Around(memory);
    private final Locks locks = Locks.builder(store).build();
    private final List<Lease> leases = new ArrayList<>();

    /** Counts renewals, and doesn't respond to some of them. */
    private static final class Around extends StoreAround {
        final MemoryStore memory;
        final AtomicLong calls = new AtomicLong();
        final AtomicLong renewed = new AtomicLong();
        final Map<StoreGrant, String> ids = new ConcurrentHashMap<>();
        final CountDownLatch responds = new CountDownLatch(1);
        volatile boolean partlyDead;
        volatile boolean inGroups;
        volatile boolean unavailable;

        Around(MemoryStore memory) {
            super(memory);
            this.memory = memory;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            StoreAnswer answer = memory.acquire(request);
            if (answer instanceof StoreGrant grant) {
                ids.put(grant, request.plan().key(0).id());
            }
            return answer;
        }

        @Override
        public Object renewedWith(StoreGrant grant) {
            return inGroups ? groupOf(grant) : this;
        }

        private String groupOf(StoreGrant grant) {
            return ids.get(grant).replaceAll("\\d+$", "");
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            requireAvailable();
            if (partlyDead && renewals.stream().anyMatch(each -> isDead(each.grant()))) {
                awaitResponse();
            }
            calls.incrementAndGet();
            renewed.addAndGet(renewals.size());
            return memory.renew(renewals);
        }

        private boolean isDead(StoreGrant grant) {
            return ids.get(grant).startsWith("dead");
        }

        private void awaitResponse() {
            try {
                responds.await();
            } catch (InterruptedException e) {
                throw new AssertionError("Nothing interrupts a renewal", e);
            }
        }

        @Override
        public boolean release(StoreGrant grant) {
            requireAvailable();
            return memory.release(grant);
        }

        private void requireAvailable() {
            if (unavailable) {
                throw new LockException(ErrorCode.STORE_UNAVAILABLE, "unavailable", List.of(), null);
            }
        }
    }

    @AfterEach
    void close() {
        store.responds.countDown();
        store.unavailable = false;
        locks.close();
    }

    private Lease acquire(String id) {
        LockRequest request = exclusive(Tenancy.user(id));
        Lease lease = locks.acquireAsync(request).join();
        leases.add(lease);
        return lease;
    }

    /** Lets time pass in steps, at each of which all leases but the dead ones must have been renewed that are due. */
    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
            clock.advance(STEP);
            Progress progress = new Progress();
            await().pollInterval(Duration.ofMillis(2)).until(() -> {
                progress.look();
                return leases.stream().allMatch(this::isFresh);
            });
        }
    }

    /** On a clock that stands still no call takes long. So a little time passes when there was no response for a while. */
    private final class Progress {
        private static final Duration WITHOUT_RESPONSE = Duration.ofSeconds(2);

        private long calls = store.calls.get();
        private long since = System.nanoTime();

        void look() {
            long now = System.nanoTime();
            if (store.calls.get() != calls) {
                calls = store.calls.get();
                since = now;
            } else if (now - since > WITHOUT_RESPONSE.toNanos()) {
                clock.advance(TERM.dividedBy(14)); // longer than the patience with a call
                since = now;
            }
        }
    }

    private boolean isFresh(Lease lease) {
        return Duration.between(clock.instant(), lease.expiresAt()).compareTo(TERM.dividedBy(2)) > 0;
    }

    @Test
    void renewalsOfLeasesThatWereAcquiredAtDifferentTimesShareCalls() {
        for (int i = 0; i < 3_000; i++) {
            acquire("u" + i);
            clock.advance(Duration.ofMillis(1));
        }
        pass(TERM.multipliedBy(2));
        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(store.renewed.get() / store.calls.get())
                .as("leases per call")
                .isGreaterThanOrEqualTo(50);
    }

    @Test
    void leaseWhoseConnectionIsDeadCostsNoOther() {
        store.partlyDead = true;
        for (int i = 0; i < 40; i++) {
            if (i % 15 == 0) {
                Lease unused =
                        locks.acquireAsync(exclusive(Tenancy.user("dead" + i))).join();
            }
            acquire("u" + i);
            clock.advance(Duration.ofMillis(40));
        }
        pass(TERM.multipliedBy(3));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void leaseThatIsRenewedAloneOnADeadConnectionCostsNoOther() {
        store.partlyDead = true;
        Lease unused = locks.acquireAsync(exclusive(Tenancy.user("dead"))).join();
        clock.advance(Duration.ofMillis(700));
        for (int i = 0; i < 10; i++) {
            acquire("u" + i);
        }
        pass(TERM.multipliedBy(3));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void deadGroupsDelayNoOthers() {
        groups(200, 10, 5, Duration.ZERO);
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void deadGroupWhoseLeasesAreDueOneAfterTheOtherTakesNoMoreThreads() {
        groups(200, 10, 5, Duration.ofMillis(400));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void deadGroupWithManyLeasesLeavesThreadsForLaterOnes() {
        store.inGroups = true;
        store.partlyDead = true;
        for (int i = 0; i < 40; i++) {
            Lease unused = locks.acquireAsync(exclusive(Tenancy.user("dead-first-" + i)))
                    .join();
            if (i >= 10) { // ten of them share a call
                clock.advance(Duration.ofMillis(100));
            }
        }
        groups(40, 4, 5, Duration.ZERO);
        assertThat(leases).allMatch(Lease::isHeld);
    }

    /** Of this many groups, some don't respond; the leases of each are acquired with time in between. */
    private void groups(int groups, int dead, int leasesEach, Duration between) {
        store.inGroups = true;
        store.partlyDead = true;
        for (int i = 0; i < leasesEach; i++) {
            for (int group = 0; group < groups; group++) {
                if (group % (groups / dead) == 0) {
                    Lease unused = locks.acquireAsync(exclusive(Tenancy.user("dead-" + group + "-" + i)))
                            .join();
                } else {
                    acquire("u-" + group + "-" + i);
                }
            }
            clock.advance(between);
        }
        pass(TERM.multipliedBy(3));
    }

    @Test
    void outageStartsFewThreadsAndWritesFewLines() {
        Logger log = (Logger) LoggerFactory.getLogger(Locks.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setAdditive(false);
        try {
            AtomicInteger signals = new AtomicInteger();
            for (int i = 0; i < 2_000; i++) {
                acquire("u" + i).lost().thenRun(signals::incrementAndGet);
            }
            store.unavailable = true;
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            int threads = 0;
            for (int seconds = 0; seconds < 12; seconds++) {
                clock.advance(Duration.ofSeconds(1));
                for (int i = 0; i < 20; i++) {
                    threads = Math.max(threads, threadsSince(before));
                    sleep();
                }
            }
            await().until(() -> signals.get() == leases.size());
            assertThat(threads).isLessThanOrEqualTo(20);
            assertThat(List.copyOf(lines.list)).hasSizeBetween(1, 14);
        } finally {
            log.detachAppender(lines);
            log.setAdditive(true);
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(2);
        } catch (InterruptedException e) {
            throw new AssertionError("Nothing interrupts this test", e);
        }
    }

    private static int threadsSince(Set<Thread> before) {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        return now.size();
    }
}
