package dev.lockstep.benchmarks.redis;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One process of a {@link KeyCrowd}: its threads all want one key. Orders come in lines, and so do the answers. */
final class CrowdMember {
    static final String READY = "ready";
    private static final long HOLD_MILLIS = 1;

    private final Map<String, Taker> takers;
    private final int waiters;
    private final ExecutorService threads;

    private CrowdMember(Map<String, Taker> takers, int waiters) {
        this.takers = takers;
        this.waiters = waiters;
        threads = Executors.newFixedThreadPool(waiters);
    }

    /** The server's URL and the number of threads. */
    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // whatever else is printed is no answer
        try (LockstepOnRedis lockstep = LockstepOnRedis.at(args[0]);
                RedissonOnRedis redisson = RedissonOnRedis.at(args[0])) {
            Map<String, Taker> takers = Map.of(
                    KeyCrowd.LOCKSTEP, lockstep.hotKey(),
                    KeyCrowd.LOCK, redisson.hotKey(),
                    KeyCrowd.FAIR_LOCK, redisson.fairHotKey());
            CrowdMember member = new CrowdMember(takers, Integer.parseInt(args[1]));
            answers.println(READY);
            member.obey(answers);
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Until the parent closes the stream, or has ended. */
    private void obey(PrintStream answers) throws IOException, InterruptedException, ExecutionException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            List<Long> waits = wait(KeyCrowd.Order.parse(line));
            answers.println(waits.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
    }

    private List<Long> wait(KeyCrowd.Order order) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        List<Future<List<Long>>> each = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            each.add(threads.submit(() -> waits(order, start)));
        }
        List<Long> all = new ArrayList<>();
        for (Future<List<Long>> future : each) {
            all.addAll(future.get());
        }
        return all;
    }

    private List<Long> waits(KeyCrowd.Order order, long start) throws InterruptedException {
        Taker taker = takers.getOrDefault(order.who(), () -> {
            throw new IllegalArgumentException("unknown: " + order.who());
        });
        long counted = TimeUnit.MILLISECONDS.toNanos(order.startUpMillis());
        long end = counted + TimeUnit.MILLISECONDS.toNanos(order.millis());
        List<Long> waits = new ArrayList<>();
        for (long asked = System.nanoTime(); asked - start < end; asked = System.nanoTime()) {
            Taker.Held held = taker.take();
            long waited = System.nanoTime() - asked;
            try {
                Thread.sleep(HOLD_MILLIS);
            } finally {
                held.close();
            }
            if (asked - start >= counted) {
                waits.add(waited);
            }
        }
        return waits;
    }
}
