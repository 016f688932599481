package dev.lockstep.benchmarks.leases;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * {@code ./lockstep bench leases}: many leases of one process, on a store with 5 ms per call: none is lost, a dead part costs only its own, an
 * outage stays quiet, and close() ends any number of waiters.
 */
public final class LeasesRun {
    private static final String LEASES = "--leases";
    private static final String SECONDS = "--seconds";
    private static final String WAITERS = "--waiters";
    private static final Duration PER_CALL = Duration.ofMillis(5);
    private static final Duration TERM = Duration.ofSeconds(10);
    private static final LockKind JOB = LockKind.of("job", 1);
    private static final int GROUPS = 1_000;
    private static final int DEAD = GROUPS / 100;

    private final int leases;
    private final int seconds;
    private final int waiters;
    private final PrintStream out;

    public LeasesRun(int leases, int seconds, int waiters, PrintStream out) {
        this.leases = leases;
        this.seconds = seconds;
        this.waiters = waiters;
        this.out = out;
    }

    public static void run(List<String> args) throws InterruptedException {
        Map<String, Integer> defaults = new LinkedHashMap<>();
        defaults.put(LEASES, 50_000);
        defaults.put(SECONDS, 300);
        defaults.put(WAITERS, 100_000);
        BenchOptions options = BenchOptions.parse(args, defaults);
        if (!options.names().isEmpty()) {
            throw new UsageException("leases takes no name, and got " + options.names());
        }
        new LeasesRun(options.number(LEASES), options.number(SECONDS), options.number(WAITERS), System.out).run();
    }

    public void run() throws InterruptedException {
        out.printf("%,d leases, term %d s, %d ms per call%n", leases, TERM.toSeconds(), PER_CALL.toMillis());
        keep();
        deadGroups();
        outage();
        close();
    }

    private static Locks locks(SlowStore store) {
        return Locks.builder(store).defaultTerm(TERM).build();
    }

    private static List<Lease> acquire(Locks locks, int count) {
        List<Lease> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(locks.acquireAsync(LockRequest.exclusive(JOB.key("j" + i))).join());
        }
        return all;
    }

    private static long lost(List<Lease> all) {
        return all.stream().filter(lease -> !lease.isHeld()).count();
    }

    private void keep() throws InterruptedException {
        SlowStore store = new SlowStore(MemoryStore.create(), PER_CALL, 1);
        Locks locks = locks(store);
        List<Lease> all = acquire(locks, leases);
        long cpu = cpu();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double share = 100.0 * (cpu() - cpu) / (System.nanoTime() - start);
        long lost = lost(all);
        double perCall = store.renewalsPerCall();
        out.printf("held for %d s: %,d lost; asked: 0 %s%n", seconds, lost, mark(lost == 0));
        out.printf("leases per renewal call: %.0f; asked: at least 50 %s%n", perCall, mark(perCall >= 50));
        out.printf("watcher and renewer: %.1f %% of a core; asked: at most 10 %s%n", share, mark(share <= 10));
        locks.close();
        all.forEach(Lease::close);
    }

    private static long cpu() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            ThreadInfo info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().matches("lockstep-(watch|renewal)")) {
                sum += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return sum;
    }

    private void deadGroups() throws InterruptedException {
        SlowStore store = new SlowStore(MemoryStore.create(), PER_CALL, GROUPS);
        Locks locks = locks(store);
        List<Lease> all = acquire(locks, leases);
        List<Lease> healthy = all.stream()
                .filter(lease -> Math.floorMod(lease.keys().get(0).hashCode(), GROUPS) >= DEAD)
                .toList();
        store.kill(DEAD);
        TimeUnit.SECONDS.sleep(4 * TERM.toSeconds());
        long lost = lost(healthy);
        out.printf(
                "%d of %,d groups dead for %d s: %,d of the other leases lost; asked: 0 %s%n",
                DEAD, GROUPS, 4 * TERM.toSeconds(), lost, mark(lost == 0));
        locks.close();
    }

    private void outage() throws InterruptedException {
        Logger log = (Logger) LoggerFactory.getLogger(Locks.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        SlowStore store = new SlowStore(MemoryStore.create(), PER_CALL, 1);
        Locks locks = locks(store);
        List<Lease> all = acquire(locks, Math.min(leases, 20_000));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int before = threads.getThreadCount();
        int most = before;
        store.makeUnavailable();
        long end = System.nanoTime() + 2 * TERM.toNanos();
        while (System.nanoTime() - end < 0) {
            most = Math.max(most, threads.getThreadCount());
            TimeUnit.MILLISECONDS.sleep(5);
        }
        log.detachAppender(lines);
        long perSecond = Math.round(lines.list.size() / (2.0 * TERM.toSeconds()) + 0.49);
        out.printf(
                "outage with %,d leases, %,d lost: %d threads started; asked: at most 20 %s%n",
                all.size(), lost(all), most - before, mark(most - before <= 20));
        out.printf(
                "  %d log lines in %d s; asked: at most one per second %s%n",
                lines.list.size(), 2 * TERM.toSeconds(), mark(perSecond <= 1));
        locks.close();
    }

    private void close() {
        Locks locks = Locks.inMemory();
        Lease held = locks.acquire(LockRequest.exclusive(JOB.key("one")));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>(waiters);
        for (int i = 0; i < waiters; i++) {
            waiting.add(locks.acquireAsync(LockRequest.exclusive(JOB.key("one")).withoutLimit()));
        }
        long start = System.nanoTime();
        locks.close();
        held.close();
        CompletableFuture<?>[] ends = waiting.stream()
                .map(each -> each.handle((lease, error) -> true))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends).orTimeout(5, TimeUnit.MINUTES).join();
        out.printf(
                "close() with %,d waiters of one key: all ended after %.1f s ✓%n",
                waiters, (System.nanoTime() - start) / 1e9);
    }

    private static String mark(boolean met) {
        return met ? "✓" : "✗";
    }
}
