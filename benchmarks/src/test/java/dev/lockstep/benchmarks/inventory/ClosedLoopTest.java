package dev.lockstep.benchmarks.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.inventory.StockKey;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
    private static final Duration TIME = Duration.ofMillis(50);

    private record TestSeller(Queue<String> requests, Set<StockKey> keys) implements Seller {
        @Override
        public Answer reserve(List<StockKey> wanted, String requestId) {
            requests.add(requestId);
            keys.addAll(wanted);
            return Answer.RESERVED;
        }

        @Override
        public void close() {}
    }

    private final TestSeller seller = new TestSeller(new ConcurrentLinkedQueue<>(), ConcurrentHashMap.newKeySet());

    @Test
    void everyRequestHasAnIdOfItsOwnAndAReceipt() throws InterruptedException {
        List<Receipts> receipts = ClosedLoop.run(seller, progress -> SaleServer.key(0), 4, TIME);
        AtomicInteger count = new AtomicInteger();
        receipts.forEach(each -> each.forEach((began, ended, answer) -> count.incrementAndGet()));
        assertThat(receipts).hasSize(4);
        assertThat(count.get()).isPositive().isEqualTo(seller.requests().size());
        assertThat(seller.requests()).doesNotHaveDuplicates();
    }

    @Test
    void theDemandKnowsHowFarTheTurnIs() throws InterruptedException {
        Queue<Double> progress = new ConcurrentLinkedQueue<>();
        ClosedLoop.run(
                seller,
                now -> {
                    progress.add(now);
                    return SaleServer.key(0);
                },
                1,
                TIME);
        assertThat(List.copyOf(progress)).isSorted().allMatch(now -> now >= -0.2);
    }

    @Test
    void aFailureEndsTheTurn() {
        Demand broken = progress -> {
            throw new IllegalArgumentException("no such shelf");
        };
        assertThatThrownBy(() -> ClosedLoop.run(seller, broken, 2, Duration.ofDays(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no such shelf");
    }

    @Test
    void aChangingMixIsHotInTheMiddle() {
        List<StockKey> stock = List.of(SaleServer.key(0), SaleServer.key(1));
        assertThat(keys(Mix.CHANGING.of(stock), 0.5)).containsExactly(SaleServer.key(0));
        assertThat(keys(Mix.CHANGING.of(stock), 0.9)).hasSize(2);
        assertThat(keys(Mix.CHANGING.of(stock), -0.1)).hasSize(2);
        assertThat(keys(Mix.COLD.of(stock), 0.5)).hasSize(2);
        assertThat(keys(Mix.HOT.of(stock), 0.9)).containsExactly(SaleServer.key(0));
    }

    private static Set<StockKey> keys(Demand demand, double progress) {
        Set<StockKey> keys = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 200; i++) {
            keys.add(demand.next(progress));
        }
        return keys;
    }
}
