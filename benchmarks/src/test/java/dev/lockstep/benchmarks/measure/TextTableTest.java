package dev.lockstep.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void columnsAreAlignedAndMarkdown() {
        TextTable table = new TextTable(List.of("what", "n"));
        table.add(List.of("x", "1,000"));
        table.add(List.of("longer", "7"));
        assertThat(table).hasToString("""
                | what   |     n |
                |--------|------:|
                | x      | 1,000 |
                | longer |     7 |""");
    }

    @Test
    void rowOfAnotherLengthIsRefused() {
        TextTable table = new TextTable(List.of("what", "n"));
        assertThatThrownBy(() -> table.add(List.of("x"))).isInstanceOf(IllegalArgumentException.class);
    }
}
