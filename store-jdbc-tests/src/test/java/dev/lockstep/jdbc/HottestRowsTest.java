package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which rows are shown as the hottest where more are in demand than are counted. */
class HottestRowsTest {
    private static final int NEW = SharedRows.MOST_COUNTED;

    private final AtomicLong nanos = new AtomicLong();
    private final SharedRows rows = new SharedRows(List.of(), nanos::get);

    private void fill(int waits) {
        for (int slot = 0; slot < SharedRows.MOST_COUNTED; slot++) {
            for (int i = 0; i < waits; i++) {
                rows.count(slot);
            }
        }
    }

    @Test
    void aRowThatIsInDemandNowDisplacesOthers() {
        fill(3);
        for (int i = 0; i < 10; i++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            rows.count(NEW);
        }
        assertThat(rows.hottest()).first().isEqualTo(new SharedRow(0, NEW, 9));
        assertThat(rows.count()).isEqualTo(3 * SharedRows.MOST_COUNTED + 10);
    }

    @Test
    void countsAreHalvedAtMostOncePerSecond() {
        fill(7);
        rows.count(NEW);
        rows.count(NEW);
        assertThat(rows.hottest()).first().extracting(SharedRow::waits).isEqualTo(3L);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        rows.count(NEW);
        assertThat(rows.hottest()).first().extracting(SharedRow::waits).isEqualTo(1L);
    }
}
