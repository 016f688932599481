package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Buyers who reserve one piece after the other, each request twice at the same time, and remember all answers. */
final class Crowd {
    private final Inventory inventory;
    private final StockKey key;
    private final Map<String, ConcurrentLinkedQueue<Outcome>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Crowd(Inventory inventory, StockKey key) {
        this.inventory = inventory;
        this.key = key;
    }

    /** Pairs of buyers, each with so many requests at most. */
    void start(int pairs, int most, String name) {
        for (int i = 0; i < 2 * pairs; i++) {
            String prefix = name + "-" + i / 2 + "-";
            Thread thread = new Thread(() -> buy(prefix, most), prefix + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void buy(String prefix, int most) {
        for (int i = 0; i < most && !stopped; i++) {
            ask(inventory, prefix + i);
        }
    }

    private Outcome ask(Inventory asked, String id) {
        var all = answers.computeIfAbsent(id, any -> new ConcurrentLinkedQueue<>());
        Outcome outcome = asked.reserve(new StockLine(key, 1), id);
        all.add(outcome);
        if (outcome instanceof Reserved) {
            accepted.incrementAndGet();
        }
        return outcome;
    }

    int accepted() {
        return accepted.get();
    }

    /** Lets each buyer end with the request that he is at. */
    void stop() {
        stopped = true;
    }

    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** What was acknowledged is in the ledger as it was said, and what was refused is not. */
    void agreesWith(LedgerAudit audit) throws Exception {
        Map<String, Long> ledger = audit.reservations(key);
        answers.forEach((id, outcomes) -> {
            for (Outcome outcome : outcomes) {
                if (outcome instanceof Reserved reserved) {
                    assertThat(ledger)
                            .containsEntry(id, reserved.changes().get(0).after().version());
                }
            }
            if (outcomes.stream().noneMatch(o -> o instanceof Reserved || o instanceof Unknown)) {
                assertThat(ledger).as("%s was answered %s", id, outcomes).doesNotContainKey(id);
            }
        });
    }

    /** Asks everything once more, with time enough: now each request is settled, and what was done before isn't done again. */
    void replay(Inventory patient) {
        for (String id : answers.keySet()) {
            assertThat(ask(patient, id)).isInstanceOfAny(Reserved.class, OutOfStock.class);
        }
    }
}
