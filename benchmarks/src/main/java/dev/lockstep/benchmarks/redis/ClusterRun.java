package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.Load;
import dev.lockstep.benchmarks.measure.Rounds;
import dev.lockstep.benchmarks.measure.TextTable;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * {@code ./lockstep bench cluster}: permits beside Redisson's, and how long a leadership takes to change hands after a resignation, on one fresh
 * Redis.
 *
 * @param parts what is measured: {@code permits}, {@code leadership}
 */
public record ClusterRun(Set<String> parts, Duration turn, int rounds, int elections) {
    private static final Set<String> PARTS = Set.of("permits", "leadership");
    private static final LockKind KIND = LockKind.of("bench", 1).asLeaf();
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final double ASKED = 2;

    public static void run(List<String> args) throws InterruptedException {
        parse(args).run(System.out);
    }

    static ClusterRun parse(List<String> args) {
        Map<String, Integer> defaults = new LinkedHashMap<>();
        defaults.put("--seconds", 3);
        defaults.put("--rounds", 5);
        defaults.put("--elections", 200);
        BenchOptions options = BenchOptions.parse(args, defaults);
        if (!PARTS.containsAll(options.names())) {
            throw new UsageException("unknown part in " + options.names() + ". Known: leadership, permits");
        }
        return new ClusterRun(
                options.names().isEmpty() ? PARTS : Set.copyOf(options.names()),
                Duration.ofSeconds(options.number("--seconds")),
                options.number("--rounds"),
                options.number("--elections"));
    }

    List<Comparison> run(PrintStream out) throws InterruptedException {
        List<Comparison> comparisons = new ArrayList<>();
        try (PrivateServer server = TestServers.startRedis("--appendfsync", "everysec");
                Locks locks = Locks.on(store(server).createNamespace());
                Locks other = Locks.on(store(server))) {
            if (parts.contains("permits")) {
                comparisons.addAll(permits(server.url(), locks));
                out.printf("Permits on Redis, %d threads, acquire and release/s%n%n", Load.THREADS);
                out.println(Comparison.table(comparisons) + "\n");
            }
            if (parts.contains("leadership")) {
                out.println(new LeaderHandOver(locks, other, KIND.key("leader"), elections).table() + "\n");
            }
        }
        return comparisons;
    }

    private static RedisLockStore store(PrivateServer server) {
        return RedisLockStore.at(server.url()).namespace("bench");
    }

    // ---- permits

    private record Pair(int permits, Contender ours, Contender theirs) {}

    private List<Comparison> permits(String url, Locks locks) throws InterruptedException {
        Config config = new Config();
        config.useSingleServer().setAddress(url);
        RedissonClient redisson = Redisson.create(config);
        try {
            List<Pair> pairs = Stream.of(100, Load.THREADS, 4, 1)
                    .map(count -> new Pair(count, ours(locks, count), theirs(redisson, count)))
                    .toList();
            List<Contender> all = pairs.stream()
                    .flatMap(pair -> Stream.of(pair.ours, pair.theirs))
                    .toList();
            Rounds measured = new Rounds(all, turn).run(rounds);
            return pairs.stream().map(pair -> comparison(pair, measured)).toList();
        } finally {
            redisson.shutdown();
        }
    }

    private static Comparison comparison(Pair pair, Rounds measured) {
        String title = "%d permits, RPermitExpirableSemaphore".formatted(pair.permits);
        return Comparison.asking(ASKED, title, measured.of(pair.ours), measured.of(pair.theirs));
    }

    private static Contender ours(Locks locks, int count) {
        LockKey key = KIND.key("permits-" + count);
        Permits permits = locks.permits(key, count);
        return new TakerContender("Lockstep, " + count + " permits", List.of(), () -> permits.acquire(PATIENCE)::close);
    }

    /** With a lease as long as ours; it is not renewed. */
    private static Contender theirs(RedissonClient redisson, int count) {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore("permits-" + count);
        boolean unused = semaphore.trySetPermits(count);
        return new TakerContender("Redisson, " + count + " permits", List.of(), () -> take(semaphore));
    }

    private static Taker.Held take(RPermitExpirableSemaphore semaphore) {
        try {
            String id = semaphore.tryAcquire(PATIENCE.toMillis(), 10_000, TimeUnit.MILLISECONDS);
            return () -> semaphore.release(id);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- leadership

    /** Two candidates of two clients; the leader resigns again and again. */
    private record LeaderHandOver(Locks one, Locks two, LockKey key, int elections) {
        String table() throws InterruptedException {
            LinkedBlockingQueue<Long> elected = new LinkedBlockingQueue<>();
            List<Double> millis = new ArrayList<>();
            try (Leadership a = candidate(one, elected);
                    Leadership b = candidate(two, elected)) {
                elected.take();
                for (int i = 0; i < elections; i++) {
                    Thread.sleep(20); // the one that resigned is to wait again
                    long resigned = System.nanoTime();
                    if (!(a.isLeader() ? a : b).resign()) {
                        throw new IllegalStateException("No leader to resign");
                    }
                    millis.add((elected.take() - resigned) / 1e6);
                }
            }
            List<Double> sorted = millis.stream().sorted().toList();
            TextTable table =
                    new TextTable(List.of("resign() until the next one leads, ms", "median", "p99", "longest"));
            table.add(List.of(
                    elections + " elections",
                    text(sorted.get(sorted.size() / 2)),
                    text(sorted.get(sorted.size() * 99 / 100)),
                    text(sorted.get(sorted.size() - 1))));
            return table.toString();
        }

        private Leadership candidate(Locks locks, LinkedBlockingQueue<Long> elected) {
            return locks.leadership(key)
                    .whenElected(term -> elected.add(System.nanoTime()))
                    .start();
        }

        private static String text(double millis) {
            return "%.2f".formatted(millis);
        }
    }
}
