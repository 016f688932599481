package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Clients who each ask again as soon as they are answered, for one turn. Requests on their way at its end are waited for. */
final class ClosedLoop {
    private final Seller seller;
    private final Demand demand;
    private final Duration time;
    private final long start;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ClosedLoop(Seller seller, Demand demand, Duration warmUp, Duration time) {
        this.seller = seller;
        this.demand = demand;
        this.time = time;
        start = System.nanoTime() + warmUp.toNanos();
    }

    /** A fifth of the time to warm up, then all of it to measure. */
    static List<Receipts> run(Seller seller, Demand demand, int clients, Duration time) throws InterruptedException {
        return new ClosedLoop(seller, demand, time.dividedBy(5), time).run(clients);
    }

    private List<Receipts> run(int clients) throws InterruptedException {
        List<Receipts> receipts = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Receipts mine = new Receipts();
            receipts.add(mine);
            threads.add(new Thread(() -> buyUntilOver(mine), "client-" + i));
        }
        threads.forEach(Thread::start);
        try {
            boolean failed = over.await(time.toNanos() - now(), TimeUnit.NANOSECONDS);
            if (failed) {
                throw new IllegalStateException("a request failed: " + failure.get(), failure.get());
            }
        } finally {
            over.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
        return receipts;
    }

    private long now() {
        return System.nanoTime() - start;
    }

    private void buyUntilOver(Receipts receipts) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            do {
                String requestId = new UUID(random.nextLong(), random.nextLong()).toString();
                long began = now();
                StockKey key = demand.next((double) began / time.toNanos());
                Seller.Answer answer = seller.reserve(key, requestId);
                receipts.add(began, now(), answer);
            } while (over.getCount() > 0);
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
            over.countDown();
        }
    }
}
