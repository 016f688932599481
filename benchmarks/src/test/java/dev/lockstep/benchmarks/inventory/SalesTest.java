package dev.lockstep.benchmarks.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.benchmarks.inventory.Seller.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SalesTest {
    private static final long MS = 1_000_000;

    private final Receipts receipts = new Receipts();

    private Sales sales(int parts) {
        return Sales.of(List.of(receipts, new Receipts()), Duration.ofMillis(100), parts);
    }

    @Test
    void onlyWhatWasHadInTheMeasuredTimeIsSpeed() {
        receipts.add(-20 * MS, -10 * MS, Answer.RESERVED);
        receipts.add(-10 * MS, 10 * MS, Answer.RESERVED);
        receipts.add(10 * MS, 60 * MS, Answer.GAVE_UP);
        receipts.add(60 * MS, 90 * MS, Answer.RESERVED);
        receipts.add(90 * MS, 110 * MS, Answer.RESERVED);
        assertThat(sales(1).rate()).isEqualTo(20);
        assertThat(sales(2).perSecond()).containsExactly(20.0, 20.0);
    }

    @Test
    void requestsThatEndLateCountAmongTheLatencies() {
        receipts.add(-10 * MS, 10 * MS, Answer.RESERVED);
        receipts.add(10 * MS, 15 * MS, Answer.RESERVED);
        receipts.add(90 * MS, 900 * MS, Answer.GAVE_UP);
        receipts.add(900 * MS, 901 * MS, Answer.UNKNOWN);
        Sales sales = sales(1);
        assertThat(sales.percentile(50)).isEqualTo(5);
        assertThat(sales.percentile(99)).isEqualTo(810);
        assertThat(sales.gaveUp()).isEqualTo(1);
        assertThat(sales.count(Answer.RESERVED)).isEqualTo(2);
        assertThat(sales.count(Answer.UNKNOWN)).isEqualTo(1);
    }

    @Test
    void noRequestIsNoLatency() {
        assertThat(sales(1).percentile(99)).isNaN();
        assertThat(sales(1).rate()).isZero();
    }

    @Test
    void manyReceiptsAreKept() {
        for (int i = 0; i < 5_000; i++) {
            receipts.add(i, i + 1, Answer.RESERVED);
        }
        assertThat(sales(1).rate()).isEqualTo(50_000);
    }
}
