package dev.lockstep.benchmarks.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrossJoinTest {
    @Test
    void powersOfTenNeedNoLimit() {
        assertThat(CrossJoin.insert(2, 1_000))
                .contains("(d0.d + d1.d * 10 + d2.d * 100) AS n")
                .contains("FROM digits d0 CROSS JOIN digits d1 CROSS JOIN digits d2\n")
                .endsWith("SELECT 2, n FROM nums");
    }

    @Test
    void otherNumbersAreCutOff() {
        assertThat(CrossJoin.insert(0, 1_001)).contains("d3.d * 1000").endsWith("SELECT 0, n FROM nums WHERE n < 1001");
    }
}
